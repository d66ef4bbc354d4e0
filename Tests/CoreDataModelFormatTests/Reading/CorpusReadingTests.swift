import CoreDataModelFormat
import CoreDataModelSource
import CoreDataPredicates
import CoreDataValues
import Foundation
import Testing

@Suite("Reading real models", .enabled(if: Corpus.isPresent))
struct CorpusReadingTests {
    @Test("Every real contents file is read without a diagnostic")
    func contents() throws {
        var read = 0
        for path in Corpus.contents {
            let result = try XMLModelParser(file: path).parse(Data(contentsOf: Corpus.url(path)))
            #expect(result.diagnostics.isEmpty, "\(path): \(result.diagnostics.map(\.message))")
            read += 1
        }
        #expect(read == Corpus.contents.count)
        #expect(read > 0)
    }

    @Test("Every real contents file compiles")
    func compiles() throws {
        for path in Corpus.contents {
            let document = try XMLModelParser(file: path).parse(Data(contentsOf: Corpus.url(path))).document
            do {
                let model = try ModelCompiler(document) { .keyPath($0) }.compile()
                #expect(model.entities.count == document.entities.count, "\(path)")
            } catch {
                Issue.record("\(path): \(error)")
            }
        }
    }

    @Test(
        "Complete packages are read, and incomplete ones are errors that say why", arguments: Corpus.packages
    )
    func package(path: String) throws {
        let url = Corpus.url(path)
        let versions = try FileManager.default.contentsOfDirectory(atPath: url.path)
            .filter { $0.hasSuffix(".xcdatamodel") }
        let sources = versions.filter { FileManager.default.fileExists(atPath: "\(url.path)/\($0)/contents") }
        do {
            let package = try ModelPackage.read(at: url)
            #expect(package.versions.map { "\($0.name).xcdatamodel" }.sorted() == versions.sorted())
            #expect(package.version(named: package.currentVersionName) != nil)
            #expect(package.isVersioned)
        } catch let error as ModelFileError {
            switch error.reason {
            case .noVersions: #expect(versions.isEmpty)
            case .xcode3Model, .notAModel: #expect(sources.count < versions.count)
            case .missingCurrentVersion(named: nil): #expect(versions.count > 1)
            case .missingCurrentVersion(let name?): #expect(!versions.contains("\(name).xcdatamodel"))
            default: Issue.record("\(error)")
            }
        }
    }
}
