import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation

/// What is collected of a statement while somebody listens to `SQLLog`. A class, so that a statement that nobody listens
/// to asks for no more than whether it has one.
final class StatementTrace {
    private(set) var bindings: [SQLValue] = []
    private(set) var rows: [[SQLValue]] = []
    private var plan: [String] = []
    private var rowCount = 0
    private var started: ContinuousClock.Instant?
    private let detail: SQLLog.Detail

    /// Nil while nobody listens.
    static var current: StatementTrace? { SQLLog.detail.map { StatementTrace(detail: $0) } }

    private init(detail: SQLLog.Detail) {
        self.detail = detail
    }

    // MARK: Collecting

    /// - Parameter position: 1-based.
    func bind(_ value: SQLValue, at position: Int) {
        guard detail >= .bindings else { return }
        while bindings.count < position { bindings.append(.null) }
        bindings[position - 1] = value
    }

    func bind(_ row: Snapshot, columns: [Int], from first: Int) {
        guard detail >= .bindings else { return }
        for (offset, column) in columns.enumerated() {
            bind(Self.value(row.value(column)), at: first + offset)
        }
    }

    /// - Parameter plan: how the database is going to run it.
    func start(plan: () -> [String] = { [] }) {
        if detail >= .plan { self.plan = plan() }
        started = .now
    }

    /// For another run of the statement: what is bound stays, as SQLite keeps it.
    func renewed() -> StatementTrace? {
        let fresh = StatementTrace.current
        fresh?.bindings = bindings
        return fresh
    }

    func returnRow(_ values: @autoclosure () -> [SQLValue]) {
        rowCount += 1
        if detail >= .rows { rows.append(values()) }
    }

    // MARK: Reporting

    /// - Parameter outcome: gets the number of rows returned.
    func entry(path: String, sql: String, outcome: (Int) -> SQLLogEntry.Outcome) -> SQLLogEntry {
        SQLLogEntry(
            path: path, sql: sql, bindings: bindings, rows: rows, plan: plan, outcome: outcome(rowCount),
            duration: started.map { .now - $0 } ?? .zero)
    }

    /// A value of a packed row about as it is stored.
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
