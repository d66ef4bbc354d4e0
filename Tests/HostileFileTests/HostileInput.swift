import CoreDataTool
import Foundation
import Testing

/// A file from a stranger, and the way in which it is read.
struct HostileInput: Sendable, CustomTestStringConvertible {
    /// The outcome of reading an input.
    struct Outcome: Codable {
        let name: String
        var words: [String] = []
        /// The files that reading changed, made or removed.
        var changes: [String] = []
        /// The way in which the reading process ended, if it did not survive.
        var end: String?
    }

    let name: String
    /// The messages that its readers must give, together; none if it is read like any other.
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

    /// Makes the input of one or more files that are a model, a mapping or a store of another type.
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
