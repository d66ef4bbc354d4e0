import CoreDataJSON
import CoreDataStudioInterface
import Foundation
import Synchronization

/// The user's preferences, such as colours and former filters. They are kept here, since a browser keeps them by the
/// page's address, which has another port at each start.
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
        guard case .object(let members)? = StateFile.json(in: file) else { return [] }
        return members
    }
}
