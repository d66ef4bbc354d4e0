import Testing

@testable import CoreData

@Suite("Rows changed while others were read")
struct ChangeLogTests {
    private typealias Change = ChangeLog.Change

    @Test("Only rows changed since a given count of changes may be stale")
    func since() {
        var log = ChangeLog()
        log.note(1, 10)
        let changeCount = log.changeCount
        #expect(!log.changes(since: changeCount).contains(Change(root: 1, key: 10)))
        log.note(1, 11)
        log.note(2, 10)
        let changed = log.changes(since: changeCount)
        #expect(changed.contains(Change(root: 1, key: 11)))
        #expect(changed.contains(Change(root: 2, key: 10)))
        #expect(!changed.contains(Change(root: 1, key: 10)))
        #expect(!log.changes(since: log.changeCount + 5).contains(Change(root: 1, key: 11)))
    }

    @Test("The log contains the last few thousand changes; rows read before them may be stale")
    func forgetting() {
        var log = ChangeLog()
        let first = log.changeCount
        for key in 0..<8192 { log.note(0, Int64(key)) }
        #expect(!log.changes(since: first).contains(Change(root: 0, key: -1)))
        #expect(log.changes(since: first).contains(Change(root: 0, key: 0)))
        let later = log.changeCount
        for key in 8192..<8200 { log.note(0, Int64(key)) }
        #expect(log.changes(since: first).contains(Change(root: 0, key: -1)))
        #expect(log.changes(since: later).contains(Change(root: 0, key: 8195)))
        #expect(!log.changes(since: later).contains(Change(root: 0, key: 8)))
    }

    @Test("After a change that may concern every row, only rows read later are fresh")
    func all() {
        var log = ChangeLog()
        for key in 0..<3 { log.note(0, Int64(key)) }
        let before = log.changeCount
        log.noteAll()
        #expect(log.changes(since: before).contains(Change(root: 5, key: 5)))
        let after = log.changeCount
        log.note(0, 7)
        #expect(!log.changes(since: after).contains(Change(root: 5, key: 5)))
        #expect(log.changes(since: after).contains(Change(root: 0, key: 7)))
    }
}
