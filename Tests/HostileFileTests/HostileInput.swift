import CoreDataTool
import Foundation
import Testing

/// Something that a stranger hands over, and what is done with it.
struct HostileInput: Sendable, CustomTestStringConvertible {
    /// What became of it.
    struct Outcome: Codable {
        let name: String
        var words: [String] = []
        /// Files that reading has changed, made or removed.
        var changes: [String] = []
        /// How the process ended that read it, if it did.
        var end: String?
    }

    let name: String
    /// What is said of it, between all that is done with it. Nothing where it is read as any other.
    let complaints: [String]
    private let read: @Sendable () throws -> Outcome

    var testDescription: String { name }

    func outcome() -> Outcome {
        do {
            return try read()
        } catch {
            return Outcome(name: name, words: ["the test could not be done: \(error)"])
        }
    }

    // MARK: Kinds

    init(_ store: HostileStore) {
        (name, complaints) = (store.name, store.complaints)
        read = { [name = store.name] in
            try Self.reading(store.make(), as: name) { HostileReading(store: $0) }
        }
    }

    /// A file, or several, that are a model, a mapping or a store of another type.
    init(_ file: HostileFile) {
        (name, complaints) = (file.name, file.complaint.map { [$0] } ?? [])
        read = { [name = file.name] in
            let sample = try SampleStore(file.files(), store: file.path)
            return try Self.reading(sample, as: name) { file.kind.read($0) }
        }
    }

    private static func reading(
        _ sample: SampleStore, as name: String, _ body: (URL) -> HostileReading
    ) throws -> Outcome {
        let (words, changes) = try sample.read(body)
        return Outcome(name: name, words: words, changes: changes)
    }

    static let all = HostileStore.all.map(HostileInput.init) + HostileFile.all.map(HostileInput.init)
}
