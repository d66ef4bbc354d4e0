import CoreDataModelFormat
import CoreDataModelSource
import Foundation
import Testing

@Suite("Writing models", .enabled(if: Corpus.isPresent))
struct CorpusWritingTests {
    @Test("A real model that is written and read again is equal, and so are its bytes")
    func roundTrip() throws {
        for path in Corpus.contents {
            let document = try read(Data(contentsOf: Corpus.url(path)))
            let written = ModelWriter(document).contents()
            let again = try read(written)
            #expect(again == document, "\(path)")
            #expect(ModelWriter(again).contents() == written, "\(path)")
        }
    }

    @Test("Every real model is written with exactly the bytes that were read")
    func bytes() throws {
        var reproduced = 0
        for path in Corpus.contents {
            let data = try Data(contentsOf: Corpus.url(path))
            if try ModelWriter(read(data)).contents() == data { reproduced += 1 }
        }
        #expect(reproduced == Corpus.contents.count)
    }

    private func read(_ data: Data) throws -> ModelDocument {
        try XMLModelParser(file: "contents").parse(data).document
    }
}
