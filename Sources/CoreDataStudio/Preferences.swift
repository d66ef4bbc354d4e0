import CoreDataJSON
import CoreDataStudioInterface
import Foundation
import Synchronization

/// What the user likes, such as colours and former filters, kept for all pages and the next start: a page itself can
/// keep it for its address alone, and that has another port at each start.
final class Preferences: Sendable {
    /// The size of all preferences together, in bytes.
    private static let mostBytes = 256 << 10

    private let file: URL
    private let access = Mutex(())

    init(in folder: URL) {
        file = folder.appendingPathComponent("preferences.json")
    }

    /// The preferences as an object; without any if they cannot be read.
    var all: JSONValue { access.withLock { _ in .object(members) } }

    /// Sets one of them.
    func set(_ name: String, to value: JSONValue) throws {
        try access.withLock { _ in
            let new = members.filter { $0.key != name } + [.init(name, value)]
            let data = Data(JSONValue.object(new).line.utf8)
            guard data.count <= Self.mostBytes else {
                throw StudioFailure(.tooLarge, "there is no room for \"\(name)\"")
            }
            try StateFile.write(data, to: file)
        }
    }

    private var members: [JSONValue.Member] {
        guard let data = try? Data(contentsOf: file), let json = try? JSONParser.parse(Array(data)),
            case .object(let members) = json
        else { return [] }
        return members
    }
}
