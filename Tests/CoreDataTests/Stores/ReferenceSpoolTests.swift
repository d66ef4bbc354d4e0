import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("Spools of references")
struct ReferenceSpoolTests {
    @Test("A spool returns what was added, whatever part of it is in its file")
    func spool() throws {
        let all = (1...1500).map { ObjectReference(entity: EntityIndex($0 % 3), key: Int64($0) << 33) }
        let spool = ReferenceSpool()
        for reference in all.reversed() { spool.append(reference) }
        spool.removeAll()
        #expect(spool.count == 0)
        for (index, reference) in all.enumerated() {
            spool.append(reference)
            #expect(spool.count == index + 1)
        }
        try spool.requireAll()
        for range in [0..<1500, 0..<1, 511..<513, 512..<1024, 1000..<1100, 1400..<1500, 7..<7] {
            #expect(try spool.references(in: range) == Array(all[range]))
        }
    }

    @Test("A spool without a place for its file says so, and keeps what memory holds")
    func spoolWithoutFile() throws {
        let folder = URL.temporaryDirectory.appending(path: "none-\(UUID().uuidString)").path
        let spool = ReferenceSpool(in: folder)
        for key in 1...100 { spool.append(ObjectReference(entity: 0, key: Int64(key))) }
        try spool.requireAll()
        #expect(try spool.references(in: 98..<100).map(\.key) == [99, 100])
        for key in 101...1100 { spool.append(ObjectReference(entity: 0, key: Int64(key))) }
        let error = #expect(throws: StoreError.self) { try spool.requireAll() }
        #expect(error?.message.contains("temporary file") == true && error?.path == folder)
    }
}
