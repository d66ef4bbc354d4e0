import CSQLite
package import CoreDataSQL
import Dispatch
import Foundation
import Synchronization

/// SQLite's integrity checks, protected against files that were made to stall or crash them.
extension SQLiteConnection {
    /// Returns the faults of the database, each as a sentence; none for an intact one.
    ///
    /// - Parameters:
    ///   - isQuick: Whether the comparison of indexes with their tables is left out.
    ///   - count: The greatest number of faults to return.
    package func damage(isQuick: Bool, atMost count: Int) throws(SQLError) -> [String] {
        // Stores have no check constraints and no indexes on expressions. Those of an untrusted file could
        // take long for each row.
        try execute("PRAGMA ignore_check_constraints = ON")
        defer { try? execute("PRAGMA ignore_check_constraints = OFF") }
        let isFull = if isQuick { false } else { try !hasComputedIndex() }
        do throws(SQLError) {
            let check: SQLText = isFull ? "integrity_check" : "quick_check"
            return try textsOnLargeStack("PRAGMA \(check)(\(count))").filter { $0 != "ok" }
        } catch {
            // The check itself failed because of the damage.
            guard error.kind == .corrupt else { throw error }
            return [error.message]
        }
    }

    private func hasComputedIndex() throws(SQLError) -> Bool {
        try texts("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").contains { sql in
            // Columns, and perhaps a condition, follow the first bracket.
            let rest = sql.drop { $0 != "(" }.dropFirst()
            return rest.contains(#/(?i)\b(?!AND\b|OR\b|NOT\b|IN\b)\w+\s*\(/#)
        }
    }

    private func texts(_ sql: SQLText) throws(SQLError) -> [String] {
        let statement = try statement(sql)
        defer { statement.reset() }
        var result: [String] = []
        while try statement.step() {
            if case .text(let text) = statement.value(at: 0) { result.append(text) }
        }
        return result
    }

    /// Runs a query on a thread with a large stack, and waits for it. SQLite follows the pages of a table
    /// recursively, and the recursion is as deep as there are pages if each page leads to the next.
    private func textsOnLargeStack(_ sql: SQLText) throws(SQLError) -> [String] {
        let pages = try statement("PRAGMA page_count")
        let count = try pages.step() ? pages.integer(at: 0) : 0
        pages.reset()
        let outcome = StackOutcome()
        let thread = Thread { outcome.finish { () throws(SQLError) in try self.texts(sql) } }
        thread.stackSize = Self.usualStack + Int(clamping: count) * Self.stackOfPage
        thread.start()
        return try outcome.wait().get()
    }

    private static let usualStack = 8 << 20
    /// The stack that SQLite takes for each page, with a reserve.
    private static let stackOfPage = 512
}

/// The result of a thread, for the thread that waits for it.
private final class StackOutcome: Sendable {
    private let result = Mutex<Result<[String], SQLError>?>(nil)
    private let end = DispatchSemaphore(value: 0)

    func finish(_ body: () throws(SQLError) -> [String]) {
        let outcome: Result<[String], SQLError>
        do throws(SQLError) { outcome = .success(try body()) } catch { outcome = .failure(error) }
        result.withLock { $0 = outcome }
        end.signal()
    }

    func wait() -> Result<[String], SQLError> {
        end.wait()
        guard let outcome = result.withLock({ $0 }) else {
            preconditionFailure("the thread ended without an answer")
        }
        return outcome
    }
}
