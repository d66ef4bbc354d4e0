import CoreData
import Foundation
import Testing

@Suite("Derived attributes in batches")
@MainActor
struct BatchDerivedTests {
    private let stack: TestStack

    /// Folders count their notes; notes know when they were saved and their text without case and diacritics.
    init() throws {
        stack = try TestStack(
            """
            Folder
              count int64 derived notes.@count
              notes ->> Note.folder
            Note
              text string
              folded string derived canonical:(text)
              saved date derived now()
              folder -> Folder.notes
            """)
        try stack.context.execute(NSBatchInsertRequest(entityName: "Folder", objects: [[:], [:]]))
        try stack.context.execute(
            NSBatchInsertRequest(entityName: "Note", objects: [["text": "Éa"], ["text": "Öb"]]))
    }

    private func stored(_ entity: String, _ key: String) throws -> [AnyHashable?] {
        try stack.stored(entity, key).map { $0 as? AnyHashable }
    }

    @Test("Insertions and updates keep derived texts and dates up to date")
    func own() throws {
        #expect(try stored("Note", "folded") == ["ea", "ob"])
        #expect(try stored("Note", "saved").allSatisfy { $0 != nil })
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.predicate = NSPredicate(format: "folded == 'ob'")
        update.propertiesToUpdate = ["text": "Ünder"]
        update.resultType = .updatedObjectsCountResultType
        #expect((try stack.context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 1)
        #expect(try stored("Note", "folded") == ["ea", "under"])
    }

    @Test("Counts follow updated relationships and deletions")
    func counts() throws {
        let folders = try stack.fetch("Folder")
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.propertiesToUpdate = ["folder": folders[0].objectID]
        try stack.context.execute(update)
        #expect(try stored("Folder", "count") == [2, 0])
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
        fetch.predicate = NSPredicate(format: "folded == 'ea'")
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        #expect(try stored("Folder", "count") == [1, 0])
        try stack.context.execute(NSBatchDeleteRequest(objectIDs: [folders[0].objectID]))
        #expect(try stored("Note", "folder") == [nil])
    }

    @Test("Derived attributes cannot be set")
    func setting() throws {
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.propertiesToUpdate = ["folded": "x"]
        let requests = [update, NSBatchInsertRequest(entityName: "Note", objects: [["folded": "x"]])]
        for request in requests {
            let error = #expect(throws: NSError.self) { try stack.context.execute(request) }
            #expect(error?.localizedFailureReason?.contains("Note.folded is derived") == true)
        }
    }
}
