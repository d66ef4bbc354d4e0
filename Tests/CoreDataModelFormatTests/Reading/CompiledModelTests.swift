import CoreDataModelFormat
import CoreDataModelSource
import Foundation
import Testing

@Suite("Compiled models", .enabled(if: Corpus.isPresent))
struct CompiledModelTests {
    @Test("Every real .mom is read completely", arguments: Corpus.compiled)
    func reads(path: String) throws {
        let result = try CompiledModelReader().read(Data(contentsOf: Corpus.url(path)))
        #expect(result.diagnostics.isEmpty)
        #expect(!result.document.entities.isEmpty)
        #expect(result.document.entities.allSatisfy { !$0.name.isEmpty })
    }

    @Test("The hashes of a .mom are those in its VersionInfo.plist", arguments: CompiledVersion.all)
    func hashes(_ version: CompiledVersion) throws {
        let document = try CompiledModelReader().read(Data(contentsOf: version.url)).document
        let hashes = VersionHashes(document)
        #expect(hashes.byEntity == version.info.hashes[version.name])
        if let checksum = version.info.checksums[version.name] { #expect(hashes.checksum == checksum) }
    }

    @Test(
        "A compiled model is equal to its source model",
        arguments: try HashPair.all().filter { $0.file.hasSuffix(".mom") })
    func sources(_ pair: HashPair) throws {
        guard Corpus.compiled.contains(pair.file) else { return }
        let compiled = try CompiledModelReader().read(Data(contentsOf: Corpus.url(pair.file))).document
        // The pairs were found by hash, which does not cover the names of indexes.
        let expected = unnamedIndexes(meaning(of: compiled))
        let meanings = try pair.sources.map { unnamedIndexes(meaning(of: try contents($0))) }
        #expect(meanings.contains { differences($0, expected).isEmpty })
    }

    @Test("Every real source model is equal after compiling and reading", arguments: Corpus.contents)
    func roundTrip(path: String) throws {
        let document = try contents(path)
        for data in [try CompiledModelWriter(document).mom(), try CompiledModelWriter(document).modelCache()]
        {
            let again = try CompiledModelReader().read(data)
            #expect(again.diagnostics.isEmpty)
            #expect(differences(meaning(of: document), meaning(of: again.document)) == [])
            #expect(VersionHashes(again.document) == VersionHashes(document))
        }
    }

    @Test("Compiling twice gives the same bytes")
    func deterministic() throws {
        for path in Corpus.contents.prefix(10) {
            let document = try contents(path)
            let (first, second) = (CompiledModelWriter(document), CompiledModelWriter(document))
            #expect(try first.mom() == second.mom(), "\(path)")
            #expect(try first.modelCache() == second.modelCache(), "\(path)")
        }
    }

    private func unnamedIndexes(_ document: ModelDocument) -> ModelDocument {
        var result = document
        for entity in result.entities.indices {
            for index in result.entities[entity].fetchIndexes.indices {
                result.entities[entity].fetchIndexes[index].name = ""
            }
        }
        return result
    }

    private func contents(_ path: String) throws -> ModelDocument {
        try XMLModelParser(file: path).parse(Data(contentsOf: Corpus.url(path))).document
    }
}

/// A version of a real `.momd` with its entry in the package's VersionInfo.plist.
struct CompiledVersion: Sendable, CustomTestStringConvertible {
    let url: URL
    let info: VersionInfo

    var name: String { url.deletingPathExtension().lastPathComponent }
    var testDescription: String { "\(url.deletingLastPathComponent().lastPathComponent)/\(name)" }

    static let all: [CompiledVersion] = Corpus.compiled.compactMap { path in
        let url = Corpus.url(path)
        let marker = url.deletingLastPathComponent().appendingPathComponent(VersionInfo.fileName)
        guard let data = try? Data(contentsOf: marker),
            let info = try? VersionInfo(data, path: marker.path)
        else { return nil }
        return CompiledVersion(url: url, info: info)
    }
}
