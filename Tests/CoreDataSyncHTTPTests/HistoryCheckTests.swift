import Testing

@testable import sync_worker

@Suite("The check of histories of clients that sync")
struct HistoryCheckTests {
    /// Two clients, of which `b` has seen the first write of `a`, and replaced its value.
    private static func history() -> History {
        var history = History()
        let first = write("a", 1, over: nil, addsLeaf: true)
        let second = write("b", 1, over: "a:1", deletes: "a:1")
        let one = view(["a": 1], "a:1", 1, leaves: ["a:1"])
        let both = view(["a": 1, "b": 1], "b:1", 2)
        history.events["a"] = [
            .start, .read(View()), .begin(first), .done(1), .read(one), .quiet(round: 1, both),
        ]
        history.events["b"] = [
            .start, .read(one), .begin(second), .done(1), .read(both), .quiet(round: 1, both),
        ]
        return history
    }

    private static func write(
        _ client: String, _ number: Int, over: String?, addsLeaf: Bool = false, deletes: String? = nil
    ) -> Write {
        Write(
            client: client, number: number, cell: "cell", over: over, tally: "tally", amount: 1,
            addsLeaf: addsLeaf, deletes: deletes)
    }

    private static func view(
        _ entries: [String: Int], _ value: String, _ tally: Int, leaves: [String] = []
    ) -> View {
        View(
            entries: entries.mapValues { View.Entries(last: $0, count: $0) },
            cells: ["cell": View.Cell(left: value, right: value)], tallies: ["tally": tally], leaves: leaves)
    }

    /// Returns what is wrong once the last view of a client, and of both if it is that of the round, is another one.
    private static func problems(
        _ client: String, _ event: Int, _ change: (inout View) -> Void
    ) throws -> String {
        var history = history()
        switch try #require(history.events[client]?[event]) {
        case .read(var view):
            change(&view)
            history.events[client]?[event] = .read(view)
        case .quiet(let round, var view):
            change(&view)
            history.events[client]?[event] = .quiet(round: round, view)
        default: Issue.record("the event has no view")
        }
        return HistoryCheck(history).problems.joined(separator: "\n")
    }

    @Test("Nothing is wrong with clients that see all writes in an order that keeps their causes")
    func right() {
        #expect(HistoryCheck(Self.history()).problems == [])
    }

    @Test("A missing entry, a wrong sum, a torn cell and a leaf that is back are found in any view")
    func views() throws {
        #expect(
            try Self.problems("b", 4) { $0.entries["a"]?.count = 0 }.contains(
                "a has 0 of the first 1 entries"))
        #expect(try Self.problems("b", 4) { $0.tallies["tally"] = 3 }.contains("tally has 3"))
        #expect(try Self.problems("b", 4) { $0.cells["cell"]?.left = "a:1" }.contains("sides of two writes"))
        #expect(try Self.problems("b", 4) { $0.leaves = ["a:1"] }.contains("the leaf a:1 is there"))
        #expect(try Self.problems("a", 4) { $0.leaves = [] }.contains("the leaf a:1 is missing"))
        #expect(try Self.problems("a", 4) { $0.cells = [:] }.contains("cell was written and is not there"))
        #expect(
            try Self.problems("a", 4) { $0.entries["a"] = .init(last: 9, count: 9) }
                .contains("a has not made entry 9"))
    }

    @Test("A value that was replaced, one that nobody wrote, and a write without its causes are found")
    func causes() throws {
        let old = View.Cell(left: "a:1", right: "a:1")
        #expect(try Self.problems("b", 4) { $0.cells["cell"] = old }.contains("which b:1 had replaced"))
        let foreign = View.Cell(left: "c:1", right: "c:1")
        #expect(try Self.problems("b", 4) { $0.cells["cell"] = foreign }.contains("which nobody wrote"))
        #expect(try Self.problems("b", 4) { $0.entries["a"] = nil }.contains("b:1 is there without a:1"))
    }

    @Test("A client that does not see what it has written or seen before is found")
    func sessions() throws {
        let empty = try Self.problems("a", 4) { $0 = View() }
        #expect(empty.contains("entry 1 of a was there before"))
    }

    @Test("Stores that differ in the end are found")
    func rounds() throws {
        #expect(
            try Self.problems("a", 5) { $0 = Self.view(["a": 1], "a:1", 1, leaves: ["a:1"]) }
                .contains("round 1 ends with different stores"))
    }

    @Test("Two objects of one name at the end of a round are found")
    func doubles() throws {
        #expect(
            try Self.problems("b", 5) { $0.doubles = ["tally"] }.contains("b ends round 1 with two of tally"))
    }

    @Test("A value that is gone without a client that has seen it, or word from the server, was lost")
    func losses() {
        var history = Self.history()
        history.events["b"]?[2] = .begin(Self.write("b", 1, over: nil, deletes: "a:1"))
        let problems = HistoryCheck(history).problems
        #expect(problems == ["a:1 was lost from cell, and nobody told"])
        history.losses = ["a:1"]
        #expect(HistoryCheck(history).problems == [])
    }

    @Test("Two stores in which concurrent values win against each other are found")
    func order() {
        var history = Self.history()
        history.losses = ["a:1", "b:1"]
        // Nobody has seen the other one's value before writing.
        history.events["b"]?[2] = .begin(Self.write("b", 1, over: nil, deletes: "a:1"))
        let back = Self.view(["a": 1, "b": 1], "a:1", 2)
        history.events["b"]? += [.read(back), .quiet(round: 2, back)]
        history.events["a"]? += [.quiet(round: 2, back)]
        #expect(HistoryCheck(history).problems.contains { $0.contains("comes before and after") })
    }

    @Test("A save whose end nobody told has happened if a store shows it, and not otherwise")
    func unknown() {
        var history = Self.history()
        history.events["a"]? += [.start, .begin(Self.write("a", 2, over: "b:1"))]
        #expect(HistoryCheck(history).problems == [])
        let view = Self.view(["a": 2, "b": 1], "a:2", 3)
        history.events["a"]? += [.read(view), .quiet(round: 2, view)]
        history.events["b"]? += [.quiet(round: 2, view)]
        #expect(HistoryCheck(history).problems == [])
    }
}
