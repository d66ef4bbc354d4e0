import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues
import Foundation
import Testing

@Suite("Mapping models and the models they name")
struct MappingBuildTests {
    private static func package(_ name: String, versions: [String]) throws -> ModelPackage {
        var song = EntityElement(name: "Song", attributes: [AttributeElement(name: "title", type: .string)])
        let all = versions.map { version in
            song.attributes.append(AttributeElement(name: "added\(song.attributes.count)", type: .integer64))
            return ModelVersion(name: version, document: ModelDocument(entities: [song]))
        }
        return try ModelPackage(name: name, versions: all, currentVersionName: versions.last!)
    }

    private static func mapping(_ source: String, _ destination: String) -> Data {
        var xml = MappingXML()
        let title = xml.attribute("title")
        let song = xml.entity([("sourcename", "Song"), ("destinationname", "Song")], attributes: [title])
        xml.model([song], from: source, to: destination)
        return xml.data
    }

    private func write(_ mapping: Data, to url: URL) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try mapping.write(to: url.appendingPathComponent(MappingSourceReader.fileName))
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private static let paths = (
        "App/Music.xcdatamodeld/Music.xcdatamodel", "App/Music.xcdatamodeld/Music 2.xcdatamodel"
    )

    @Test("Source and compiled models are found by the mapping's paths, beside it and by name")
    func search() throws {
        let versions = ["Music", "Music 2"]
        let expected = try Self.package("Music", versions: versions).versions
            .map { VersionHashes($0.document).byEntity["Song"].map { [UInt8]($0) } }
        try withFolder { folder in
            let mapping = folder.appendingPathComponent("App/Mappings/One.xcmappingmodel")
            try write(Self.mapping(Self.paths.0, Self.paths.1), to: mapping)
            func hashes(_ models: [URL] = []) throws -> [[UInt8]?] {
                let entity = try MappingBuild(of: mapping, models: models).document.entities[0]
                return [entity.sourceHash, entity.destinationHash]
            }
            let error = #expect(throws: ModelFileError.self) { try hashes() }
            #expect(error?.reason == .missingModel(Self.paths.0))
            #expect(error?.path == mapping.path)
            for place in ["App/Music", "Music", "App/Mappings/Music"] {
                let url = folder.appendingPathComponent("\(place).xcdatamodeld")
                try ModelPackageWriter(Self.package("Music", versions: versions)).writeSource(to: url)
                #expect(try hashes() == expected, "\(place)")
                try FileManager.default.removeItem(at: url)
            }
            let elsewhere = folder.appendingPathComponent("Elsewhere")
            let source = elsewhere.appendingPathComponent("Music.xcdatamodeld")
            try ModelPackageWriter(Self.package("Music", versions: versions)).writeSource(to: source)
            #expect(try hashes([source]) == expected)
            #expect(
                try hashes(versions.map { source.appendingPathComponent("\($0).xcdatamodel") }) == expected)
            let compiled = elsewhere.appendingPathComponent("Music.momd")
            try ModelPackageWriter(Self.package("Music", versions: versions)).compile(to: compiled)
            #expect(try hashes([compiled]) == expected)
        }
    }

    @Test("If two packages have a version of the same name, the package in the path is used")
    func sameVersionNames() throws {
        try withFolder { folder in
            let mapping = folder.appendingPathComponent("One.xcmappingmodel")
            try write(
                Self.mapping("X/B.xcdatamodeld/1.xcdatamodel", "X/B.xcdatamodeld/2.xcdatamodel"), to: mapping)
            let models = folder.appendingPathComponent("Models")
            let a = models.appendingPathComponent("A.xcdatamodeld")
            let b = models.appendingPathComponent("B.xcdatamodeld")
            try ModelPackageWriter(Self.package("A", versions: ["0", "1", "2"])).writeSource(to: a)
            try ModelPackageWriter(Self.package("B", versions: ["1", "2"])).writeSource(to: b)
            let entity = try MappingBuild(of: mapping, models: [a, b]).document.entities[0]
            let expected = try ModelPackage.read(at: b).version(named: "1").map { VersionHashes($0.document) }
            #expect(entity.sourceHash == expected?.byEntity["Song"].map { [UInt8]($0) })
        }
    }

    // MARK: Paths that lead nowhere

    private func hashes(_ build: MappingBuild) -> [[UInt8]?] {
        [build.document.entities[0].sourceHash, build.document.entities[0].destinationHash]
    }

    private func hash(_ version: String, of package: ModelPackage) -> [UInt8]? {
        package.version(named: version).flatMap { VersionHashes($0.document).byEntity["Song"] }.map {
            [UInt8]($0)
        }
    }

    @Test(
        "If a version was renamed, a version with the mapping's entities is used, with a warning"
    )
    func renamedVersion() throws {
        try withFolder { folder in
            let mapping = folder.appendingPathComponent("One.xcmappingmodel")
            try write(Self.mapping(Self.paths.0, Self.paths.1), to: mapping)
            let source = folder.appendingPathComponent("Elsewhere/Music.xcdatamodeld")
            let package = try Self.package("Music", versions: ["Music 1", "Music 2"])
            try ModelPackageWriter(package).writeSource(to: source)
            let build = try MappingBuild(of: mapping, models: [source])
            #expect(hashes(build) == [hash("Music 1", of: package), hash("Music 2", of: package)])
            #expect(build.diagnostics.map(\.severity) == [.warning])
            #expect(build.diagnostics.first?.file == mapping.path)
            #expect(
                build.diagnostics.first?.message.contains(
                    "the source model \"\(Self.paths.0)\" was not found")
                    == true)
            #expect(build.diagnostics.first?.message.contains("Music 1.xcdatamodel") == true)
            // The package is near the mapping.
            let near = folder.appendingPathComponent("App/Music.xcdatamodeld")
            try FileManager.default.createDirectory(
                at: near.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.moveItem(at: source, to: near)
            #expect(try hashes(MappingBuild(of: mapping)) == hashes(build))
            // Only a copy of the model could tell which of the two versions was meant.
            let more = try Self.package("Music", versions: ["Music 0", "Music 1", "Music 2"])
            try FileManager.default.removeItem(at: near)
            try ModelPackageWriter(more).writeSource(to: near)
            let error = #expect(throws: ModelFileError.self) { try MappingBuild(of: mapping) }
            #expect(error?.reason == .missingModel(Self.paths.0))
        }
    }

    @Test(
        "The model copies in a mapping identify the versions, and replace missing models",
        .enabled(if: Corpus.isPresent))
    func copies() throws {
        let samples = "alemar11__CoreDataPlus/Tests/Resources/SampleModel"
        let model = Corpus.url("\(samples)/SampleModel.xcdatamodeld")
        let expected = try CompiledMappingReader().read(at: Corpus.url("\(samples)/Fixtures/V2toV3.cdm"))
        try withFolder { folder in
            let mapping = folder.appendingPathComponent("Own.xcmappingmodel")
            let original = Corpus.url("\(samples)/MappingModels/V2toV3.xcmappingmodel")
            try FileManager.default.copyItem(at: original, to: mapping)
            // Without any model file.
            let alone = try MappingBuild(of: mapping)
            #expect(alone.document == expected)
            #expect(alone.diagnostics.count == 2)
            #expect(alone.diagnostics.allSatisfy { $0.message.contains("the mapping's own copy is used") })
            // Under other names of the versions.
            let renamed = folder.appendingPathComponent("Renamed.xcdatamodeld")
            try FileManager.default.createDirectory(at: renamed, withIntermediateDirectories: true)
            for version in try FileManager.default.contentsOfDirectory(atPath: model.path)
            where version.hasSuffix(".xcdatamodel") {
                try FileManager.default.copyItem(
                    at: model.appendingPathComponent(version),
                    to: renamed.appendingPathComponent("X\(version)"))
            }
            let current = try #require(
                try FileManager.default.contentsOfDirectory(atPath: renamed.path).first)
            let plist = try PropertyListSerialization.data(
                fromPropertyList: ["_XCCurrentVersionName": current], format: .xml, options: 0)
            try plist.write(to: renamed.appendingPathComponent(".xccurrentversion"))
            let found = try MappingBuild(of: mapping, models: [renamed])
            #expect(found.document == expected)
            #expect(found.diagnostics.map { $0.message.contains("/XSampleModel") } == [true, true])
        }
    }

    /// In older commits of a project, models differed from their final state.
    @Test(
        "The model copies in real mappings have the version hashes of the copied models",
        .enabled(if: Corpus.isPresent),
        arguments: MappingSample.all.filter { $0.models != nil && !$0.path.contains("_history") })
    func realCopies(_ sample: MappingSample) throws {
        let result = try MappingSourceReader().read(at: sample.url)
        let search = MappingModelSearch(
            mapping: sample.url, models: try #require(sample.models).map { Corpus.url($0) })
        for (path, copy) in [
            (result.source.sourceModelPath, result.sourceModelCopy),
            (result.source.destinationModelPath, result.destinationModelCopy),
        ] {
            let version = try #require(try search.version(at: path))
            let document = try EditorModel(#require(copy)).document()
            #expect(VersionHashes(document).byEntity == VersionHashes(version.document).byEntity)
        }
    }

    @Test("A written mapping is equal when it is read, and is not written again if unchanged")
    func writing() throws {
        try withFolder { folder in
            let mapping = folder.appendingPathComponent("One.xcmappingmodel")
            try write(Self.mapping(Self.paths.0, Self.paths.1), to: mapping)
            let source = folder.appendingPathComponent("Music.xcdatamodeld")
            try ModelPackageWriter(Self.package("Music", versions: ["Music", "Music 2"])).writeSource(
                to: source)
            let build = try MappingBuild(of: mapping)
            let cdm = folder.appendingPathComponent("One.cdm")
            try build.write(to: cdm)
            #expect(try CompiledMappingReader().read(at: cdm) == build.document)
            #expect(build.document.entities.map(\.name) == ["SongToSong"])
            let first = try FileManager.default.attributesOfItem(atPath: cdm.path)[.systemFileNumber] as? Int
            try build.write(to: cdm)
            let second = try FileManager.default.attributesOfItem(atPath: cdm.path)[.systemFileNumber] as? Int
            #expect(first == second)
        }
    }

    @Test("Warnings and errors name the mapping's file")
    func places() throws {
        try withFolder { folder in
            let source = folder.appendingPathComponent("Music.xcdatamodeld")
            try ModelPackageWriter(Self.package("Music", versions: ["Music", "Music 2"])).writeSource(
                to: source)
            let mapping = folder.appendingPathComponent("One.xcmappingmodel")
            var xml = MappingXML()
            let length = xml.attribute("length")
            let song = xml.entity(
                [("sourcename", "Song"), ("destinationname", "Song")], attributes: [length])
            xml.model([song])
            try write(xml.data, to: mapping)
            let diagnostics = try MappingBuild(of: mapping).diagnostics
            #expect(diagnostics.map(\.file) == [mapping.path])
            #expect(diagnostics.map(\.elementPath) == ["SongToSong.length"])
            var wrong = MappingXML()
            wrong.model([wrong.entity([("destinationname", "Opus")])])
            try write(wrong.data, to: mapping)
            let error = #expect(throws: ModelFileError.self) { try MappingBuild(of: mapping) }
            #expect(error?.path == mapping.path)
            let cdm = folder.appendingPathComponent("One.cdm")
            try Data("bplist00 and no more".utf8).write(to: cdm)
            let damage = #expect(throws: ModelFileError.self) { try CompiledMappingReader().read(at: cdm) }
            #expect(damage?.path == cdm.path)
        }
    }
}
