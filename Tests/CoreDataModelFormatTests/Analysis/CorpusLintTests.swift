import CoreDataModelFormat
import CoreDataModelSource
import Foundation
import Testing

@Suite("Linting real models", .enabled(if: Corpus.isPresent))
struct CorpusLintTests {
    @Test("Models that Xcode compiles have no errors", arguments: Corpus.contents)
    func noErrors(path: String) throws {
        let result = try XMLModelParser(file: path).parse(Data(contentsOf: Corpus.url(path)))
        let diagnostics = ModelLinter(result.document, locations: result.locations).lint()
        #expect(diagnostics.filter { $0.severity == .error } == [])
        #expect(diagnostics.allSatisfy { $0.line != nil && $0.file == path })
    }
}
