import CoreDataEditing
import CoreDataModelFormat
import CoreDataModelSource
import Foundation
import Testing

@Suite("Merging versions of real models", .enabled(if: Corpus.isPresent))
struct CorpusMergeTests {
    @Test("A version merged with one that has not changed, or with itself, is that version")
    func laws() throws {
        let packages = Corpus.packages
        #expect(!packages.isEmpty)
        for package in packages {
            let documents = package.versions.map(\.document)
            for (old, new) in zip(documents, documents.dropFirst()) {
                for (ours, theirs) in [(new, old), (old, new), (new, new)] {
                    let merge = try ModelMerge(base: old, ours: ours, theirs: theirs)
                    #expect(merge.document == new, "\(package.name)")
                    #expect(merge.conflicts == [], "\(package.name)")
                }
            }
            for (index, base) in documents.enumerated() where index + 2 < documents.count {
                let (ours, theirs) = (documents[index + 1], documents[index + 2])
                let merge = try ModelMerge(base: base, ours: ours, theirs: theirs)
                _ = try ModelDocument(ModelWriter(merge.marked).element)
            }
        }
    }
}
