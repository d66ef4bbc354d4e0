import CoreDataModelFormat
import Foundation
import Testing

@Suite("Model caches of real stores", .enabled(if: ModelCache.isReadable, "needs the corpus and python3"))
struct ModelCacheTests {
    @Test("Every real model cache is read and has the hashes of its store", arguments: try HashPair.stores())
    func reads(_ pair: HashPair) throws {
        let data = try ModelCache.inflated(fromStore: Corpus.url(pair.file).path)
        let result = try CompiledModelReader().read(data)
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
        let hashes = VersionHashes(result.document)
        #expect(hashes.byEntity.mapValues { $0.base64EncodedString() } == pair.hashes)
        if let digest = pair.digest { #expect(hashes.digest == digest) }
        if let checksum = pair.checksum { #expect(hashes.checksum == checksum) }
    }

    @Test("A model cache that is written again equals the original", arguments: try HashPair.stores())
    func roundTrip(_ pair: HashPair) throws {
        let data = try ModelCache.inflated(fromStore: Corpus.url(pair.file).path)
        let document = try CompiledModelReader().read(data).document
        for written in [
            try CompiledModelWriter(document).modelCache(), try CompiledModelWriter(document).mom(),
        ] {
            let again = try CompiledModelReader().read(written)
            #expect(again.diagnostics.isEmpty)
            #expect(differences(document, again.document) == [])
        }
    }
}
