import CSQLite
import Foundation

/// The SQL functions that stores and compiled queries call.
enum SQLiteFunctions {
    static func register(on database: OpaquePointer) {
        registerTriggerFunctions(on: database)
    }

    /// The triggers of derived attributes report through these (sqlite-store §10). Rows are read again after a
    /// save, so there is nothing to do but exist.
    private static func registerTriggerFunctions(on database: OpaquePointer) {
        let names = [
            "NSCoreDataDATriggerUpdatedAffectedObjectValue",
            "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
            "NSCoreDataTriggerUpdateAffectedObjectValue",
        ]
        for name in names {
            define(name, arguments: 5, on: database) { context, _, _ in sqlite3_result_null(context) }
        }
        define("NSCoreDataNow", arguments: 0, flags: 0, on: database) { context, _, _ in
            sqlite3_result_double(context, Date().timeIntervalSinceReferenceDate)
        }
    }

    typealias Body =
        @convention(c) (
            OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Void

    static func define(
        _ name: String,
        arguments: Int32,
        flags: Int32 = SQLITE_DETERMINISTIC,
        on database: OpaquePointer,
        _ body: Body
    ) {
        sqlite3_create_function_v2(
            database, name, arguments, SQLITE_UTF8 | flags, nil, body, nil, nil, nil)
    }
}
