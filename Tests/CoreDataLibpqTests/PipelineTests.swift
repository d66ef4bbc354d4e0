import CoreDataSQL
import Foundation
import PostgreSQLTestSupport
import Testing

@testable import CoreDataLibpq

@Suite("Pipelines", .needsServer)
struct PipelineTests {
    private let connection: PostgreSQLConnection

    init() throws {
        connection = try Database.connect()
        try connection.execute(
            "CREATE TEMP TABLE t (k int8 PRIMARY KEY DEFERRABLE INITIALLY IMMEDIATE, v int8)")
        _ = try connection.run("INSERT INTO t SELECT n, 1 FROM generate_series(1, 5) AS s(n)")
    }

    private func sum() throws -> Int64? {
        try connection.value("SELECT sum(v)::int8 FROM t", as: Int64.self)
    }

    private func done(_ steps: [PipelineStep]) throws -> [StepResult] {
        guard case .done(let results) = try connection.run(steps) else {
            Issue.record("the pipeline was refused")
            return []
        }
        return results
    }

    private func update(_ keys: [Int64], adding number: Int64, expecting count: Int) -> PipelineStep {
        var parameters = ParameterList(number)
        parameters.append(array: keys)
        return PipelineStep(
            PipelineStep.counting("UPDATE t SET v = v + ? WHERE k = ANY(?) RETURNING k"), parameters,
            expecting: count)
    }

    @Test("All steps are one round trip and one transaction, and each has its result")
    func results() throws {
        let before = connection.trips
        let results = try done([
            PipelineStep("SELECT pg_current_xact_id()::text"),
            PipelineStep("INSERT INTO t VALUES (?, ?)", ParameterList(Int64(6), Int64(2))),
            update([1, 2, 6], adding: 10, expecting: 3),
            PipelineStep("SELECT k, v FROM t WHERE v > ? ORDER BY k", ParameterList(Int64(1))),
            PipelineStep("SELECT pg_current_xact_id()::text"),
        ])
        #expect(connection.trips == before + 1)
        #expect(results.map(\.changedRowCount) == [1, 1, 3, 3, 1])
        var rows: [[Int64]] = []
        results[3].forEachRow { rows.append([$0.integer(0), $0.integer(1)]) }
        #expect(rows == [[1, 11], [2, 11], [6, 12]])
        var transactions: Set<String> = []
        for index in [0, 4] { results[index].forEachRow { transactions.insert($0.value(0)!) } }
        #expect(transactions.count == 1)
    }

    @Test(
        "If a step does not affect the expected number of rows, nothing of the pipeline is done",
        arguments: [0, 1, 3])
    func refusal(_ expected: Int) throws {
        let outcome = try connection.run([
            update([1], adding: 1, expecting: 1),
            update([2, 3, 99], adding: 1, expecting: expected),
            PipelineStep("DELETE FROM t"),
        ])
        guard case .refused(step: 1) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try sum() == 5)
        #expect(!connection.isInTransaction)
    }

    @Test("The expected number of rows may be that of a select which locks them")
    func lockedRows() throws {
        let results = try done([
            PipelineStep(
                PipelineStep.counting("SELECT k FROM t WHERE k < ? FOR SHARE"), ParameterList(Int64(3)),
                expecting: 2)
        ])
        #expect(results[0].changedRowCount == 2)
    }

    @Test("After an error nothing of the pipeline is done, and the error names the step's statement")
    func failure() throws {
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.run([
                update([1], adding: 1, expecting: 1), PipelineStep("SELECT 1 / 0"),
                PipelineStep("DELETE FROM t"),
            ])
        }
        #expect(error?.kind == .divisionByZero)
        #expect(error?.sql == "SELECT 1 / 0")
        #expect(try sum() == 5)
    }

    @Test("A constraint that fails at the commit is an error of the pipeline")
    func deferredConstraint() throws {
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.run([
                PipelineStep("SET CONSTRAINTS ALL DEFERRED"), PipelineStep("INSERT INTO t VALUES (1, 100)"),
                PipelineStep("SELECT 1"),
            ])
        }
        #expect(error?.kind == .unique(constraint: "t_pkey"))
        #expect(try sum() == 5)
        #expect(connection.isUsable)
    }

    @Test("In a transaction a pipeline commits nothing, and a refused one leaves it to be rolled back")
    func inTransaction() throws {
        try connection.begin()
        _ = try done([update([1], adding: 1, expecting: 1)])
        guard case .refused(step: 0) = try connection.run([update([1], adding: 1, expecting: 2)]) else {
            Issue.record("it was done")
            return
        }
        #expect(connection.isInTransaction)
        connection.rollback()
        #expect(!connection.isInTransaction)
        #expect(try sum() == 5)
    }

    @Test("A pipeline may begin and commit a transaction of its own, which an error does not leave open")
    func ownTransaction() throws {
        let begin = PipelineStep("BEGIN ISOLATION LEVEL REPEATABLE READ")
        _ = try done([begin, update([1], adding: 1, expecting: 1), .commit])
        #expect(try sum() == 6)
        #expect(throws: PostgreSQLError.self) {
            try connection.run([
                begin, update([1], adding: 1, expecting: 1), PipelineStep("SELECT 1 / 0"), .commit,
            ])
        }
        #expect(!connection.isInTransaction)
        #expect(try sum() == 6)
    }

    @Test("A pipeline that is abandoned does nothing, whatever of it has been sent")
    func abandoned() throws {
        // More than libpq keeps in its buffer, so that the server has statements before the end.
        let text = ParameterList(String(repeating: "a", count: 100_000))
        for begin in [nil, PipelineStep("BEGIN")] {
            let outcome = try connection.run { trip throws(PostgreSQLError) in
                if let begin { try trip.send(begin) }
                for key: Int64 in [1, 2, 3] {
                    try trip.send(update([key], adding: 1, expecting: 1))
                    try trip.send(PipelineStep("SELECT ?", text))
                }
                return false
            }
            guard case .abandoned = outcome else {
                Issue.record("it was done")
                return
            }
            #expect(!connection.isInTransaction)
            #expect(try sum() == 5)
        }
        _ = try done([update([1], adding: 1, expecting: 1)])
        #expect(try sum() == 6)
    }

    @Test("A pipeline that cannot be sent as a whole does nothing")
    func unsendable() throws {
        var many = ParameterList()
        for number in 0...Int64(UInt16.max) { many.append(number) }
        #expect(
            kind {
                _ = try connection.run([
                    update([1], adding: 1, expecting: 1), PipelineStep("SELECT 1", many),
                ])
            } == .outOfRange)
        #expect(try sum() == 5)
        #expect(connection.isUsable)
    }

    @Test("A pipeline with a stale statement is run once more, as a whole")
    func staleStatement() throws {
        let steps = [update([1], adding: 1, expecting: 1), PipelineStep("SELECT * FROM t WHERE k = 1")]
        _ = try done(steps)
        try connection.execute("ALTER TABLE t ADD w int8")
        _ = try done(steps)
        #expect(try sum() == 7)
        try connection.execute("DEALLOCATE ALL")
        _ = try done(steps)
        #expect(try sum() == 8)
    }

    @Test("A pipeline with a stale statement after its commit is not run again")
    func staleAfterCommit() throws {
        let read = PipelineStep("SELECT * FROM t WHERE k = 1")
        _ = try done([read])
        try connection.execute("ALTER TABLE t ADD w int8")
        #expect(
            kind {
                _ = try connection.run([
                    PipelineStep("BEGIN"), update([1], adding: 1, expecting: 1), .commit, read,
                ])
            } == .staleStatement)
        #expect(try sum() == 6)
    }

    @Test("Megabytes in both directions do not block a pipeline")
    func megabytes() throws {
        let text = String(repeating: "abcdefghij", count: 10_000)
        let steps = (0..<300).map { PipelineStep("SELECT ? || ?", ParameterList(text, String($0))) }
        let before = connection.trips
        let results = try done(steps)
        #expect(connection.trips == before + 1)
        for (number, result) in results.enumerated() {
            result.forEachRow { #expect($0.value(0, as: String.self)?.hasSuffix("j\(number)") == true) }
        }
    }

    @Test("More parameters than the protocol takes are an error, before anything is done")
    func tooManyParameters() throws {
        var parameters = ParameterList()
        for number in 0...65_535 { parameters.append(Int64(number)) }
        let steps = [PipelineStep("DELETE FROM t"), PipelineStep("SELECT ?", parameters)]
        #expect(kind { _ = try connection.run(steps) } == .outOfRange)
        #expect(try sum() == 5)
    }

    @Test("A statement that cannot be prepared is an error, also at the next try")
    func syntaxError() throws {
        for _ in 0..<2 {
            let error = #expect(throws: PostgreSQLError.self) { try connection.run("SELEC 1") }
            #expect(error?.state == "42601")
        }
        #expect(try sum() == 5)
    }
}
