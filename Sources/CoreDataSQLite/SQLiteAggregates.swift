import CSQLite
import CoreDataPredicates
import CoreDataSQL
import CoreDataValues
import Foundation

/// The aggregate functions that SQLite lacks, with the same results as predicates in memory.
enum SQLiteAggregates {
    /// The values of one group, which SQLite keeps until the group ends.
    private final class Group {
        var values: [ExpressionValue] = []
    }

    static func register(on database: OpaquePointer) {
        define(SQLFunctionNames.median, on: database) { context in
            SQLiteAggregates.finish(context) { values throws(EvaluationError) in
                try Aggregates.median(values)
            }
        }
        define(SQLFunctionNames.mode, on: database) { context in
            SQLiteAggregates.finish(context) { values throws(EvaluationError) in Aggregates.mode(values) }
        }
        define(SQLFunctionNames.deviation, on: database) { context in
            SQLiteAggregates.finish(context) { values throws(EvaluationError) in
                try Aggregates.deviation(values)
            }
        }
    }

    private static func define(
        _ name: SQLText,
        on database: OpaquePointer,
        finish: @convention(c) (OpaquePointer?) -> Void
    ) {
        sqlite3_create_function_v2(
            database, name.string, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil, nil,
            { context, _, arguments in
                guard let value = SQLiteAggregates.value(arguments?[0]) else { return }
                SQLiteAggregates.group(context, makes: true)?.takeUnretainedValue().values.append(value)
            }, finish, nil)
    }

    // MARK: Groups

    /// Returns the present group. SQLite returns zeroed memory at a group's first row, for which the group is
    /// made.
    private static func group(_ context: OpaquePointer?, makes: Bool) -> Unmanaged<Group>? {
        let size = makes ? Int32(MemoryLayout<UnsafeMutableRawPointer?>.size) : 0
        guard let memory = sqlite3_aggregate_context(context, size) else { return nil }
        let slot = memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        if slot.pointee == nil, makes { slot.pointee = Unmanaged.passRetained(Group()).toOpaque() }
        return slot.pointee.map { Unmanaged<Group>.fromOpaque($0) }
    }

    /// Returns the result of a group to SQLite. SQLite calls it once for each group, also if the statement is
    /// abandoned.
    private static func finish(
        _ context: OpaquePointer?,
        _ fold: ([ExpressionValue]) throws(EvaluationError) -> ExpressionValue
    ) {
        let group = group(context, makes: false)?.takeRetainedValue()
        do throws(EvaluationError) {
            answer(context, try fold(group?.values ?? []))
        } catch {
            sqlite3_result_error(context, "\(error)", -1)
        }
    }

    // MARK: Values

    private static func value(_ argument: OpaquePointer?) -> ExpressionValue? {
        switch sqlite3_value_type(argument) {
        case SQLITE_INTEGER: .value(.integer(sqlite3_value_int64(argument)))
        case SQLITE_FLOAT: .value(.double(sqlite3_value_double(argument)))
        case SQLITE_TEXT:
            SQLiteFunctions.text(argument).map { .value(.string(String(decoding: $0, as: UTF8.self))) }
        case SQLITE_BLOB:
            sqlite3_value_blob(argument).map {
                .value(.data(Data(bytes: $0, count: Int(sqlite3_value_bytes(argument)))))
            }
        default: nil
        }
    }

    private static func answer(_ context: OpaquePointer?, _ result: ExpressionValue) {
        guard case .value(let value) = result else { return sqlite3_result_null(context) }
        switch value {
        case .integer(let number): sqlite3_result_int64(context, number)
        case .double(let number): sqlite3_result_double(context, number)
        case .string(let text):
            sqlite3_result_text(context, text, Int32(text.utf8.count), opencoredata_transient())
        case .data(let data):
            data.withUnsafeBytes {
                sqlite3_result_blob(context, $0.baseAddress, Int32($0.count), opencoredata_transient())
            }
        default: sqlite3_result_null(context)
        }
    }
}
