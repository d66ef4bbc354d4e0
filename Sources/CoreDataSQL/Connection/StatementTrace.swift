package import CoreDataStore
import CoreDataValues
import Foundation

/// The data collected about one run of a statement while there are listeners to `SQLLog`. It is a class, so
/// that without listeners a statement only tests for nil.
package final class StatementTrace {
    package private(set) var bindings: [SQLValue] = []
    package private(set) var rows: [[SQLValue]] = []
    private var plan: [String] = []
    private var rowCount = 0
    private var started: ContinuousClock.Instant?
    private let detail: SQLLog.Detail

    /// A new trace; nil if there are no listeners.
    package static var current: StatementTrace? { SQLLog.detail.map { StatementTrace(detail: $0) } }

    private init(detail: SQLLog.Detail) {
        self.detail = detail
    }

    // MARK: Collecting

    /// Notes a bound value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - position: The number of the placeholder, from 1.
    package func bind(_ value: SQLValue, at position: Int) {
        guard detail >= .bindings else { return }
        while bindings.count < position { bindings.append(.null) }
        bindings[position - 1] = value
    }

    package func bind(_ row: Snapshot, columns: [Int], from first: Int) {
        guard detail >= .bindings else { return }
        for (offset, column) in columns.enumerated() {
            bind(Self.value(row.value(column)), at: first + offset)
        }
    }

    /// Notes the beginning of the run.
    ///
    /// - Parameter plan: Returns the database's plan of the statement.
    package func start(plan: () -> [String] = { [] }) {
        if detail >= .plan { self.plan = plan() }
        started = .now
    }

    /// Returns a trace for another run of the statement, with the same bound values, which drivers keep as
    /// well.
    package func renewed() -> StatementTrace? {
        let fresh = StatementTrace.current
        fresh?.bindings = bindings
        return fresh
    }

    package func returnRow(_ values: @autoclosure () -> [SQLValue]) {
        rowCount += 1
        if detail >= .rows { rows.append(values()) }
    }

    // MARK: Reporting

    /// Returns the entry for the log.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - sql: The text of the statement.
    ///   - outcome: Returns the outcome, given the number of returned rows.
    package func entry(path: String, sql: String, outcome: (Int) -> SQLLogEntry.Outcome) -> SQLLogEntry {
        SQLLogEntry(
            path: path, sql: sql, bindings: bindings, rows: rows, plan: plan, outcome: outcome(rowCount),
            duration: started.map { .now - $0 } ?? .zero)
    }

    /// Returns a value of a packed row in a form close to the stored one.
    private static func value(_ value: AttributeValue) -> SQLValue {
        switch value {
        case .null: .null
        case .boolean(let flag): .integer(flag ? 1 : 0)
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        case .date(let date): .double(date.timeIntervalSinceReferenceDate)
        case .decimal(let number): .text(number.description)
        case .string(let text): .text(text)
        case .uri(let url): .text(url.absoluteString)
        case .data(let data): .blob(data)
        case .uuid(let uuid): .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case .reference(let reference): .integer(reference.key)
        case .composite: .null
        }
    }
}
