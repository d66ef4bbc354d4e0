import Foundation
import Testing

/// The entity hashes of one real store or compiled model with the sources it came from.
struct HashPair: Decodable, Sendable, CustomTestStringConvertible {
    let file: String
    let match: String?
    let sources: [String]
    let hashes: [String: String]
    let digest: String?
    let checksum: String?

    var testDescription: String { file }

    /// Returns the pairs whose source model is known.
    static func all() throws -> [HashPair] { try everything().filter { !$0.sources.isEmpty } }

    /// The stores with a model cache.
    static func stores() throws -> [HashPair] { try everything().filter { !$0.file.hasSuffix(".mom") } }

    private static func everything() throws -> [HashPair] {
        guard Corpus.isPresent else { return [] }
        return try JSONDecoder().decode(
            [HashPair].self, from: Data(contentsOf: Corpus.url("hash-pairs.json")))
    }
}
