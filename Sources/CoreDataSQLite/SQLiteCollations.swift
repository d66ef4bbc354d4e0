import CSQLite
import CoreDataPredicates
import CoreDataSQL
import Foundation

/// The collations for the orders of strings that sort descriptors name.
enum SQLiteCollations {
    private typealias Body =
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?
        ) -> Int32

    static func register(on database: OpaquePointer) {
        define(SQLFunctionNames.noCaseCollation, on: database) { _, leftCount, left, rightCount, right in
            SQLiteCollations.compare(left, leftCount, right, rightCount, .caseInsensitive)
        }
        define(SQLFunctionNames.localeCollation, on: database) { _, leftCount, left, rightCount, right in
            SQLiteCollations.compare(left, leftCount, right, rightCount, .localeSensitive)
        }
        define(SQLFunctionNames.localeNoCaseCollation, on: database) {
            _, leftCount, left, rightCount, right in
            SQLiteCollations.compare(
                left, leftCount, right, rightCount, [.localeSensitive, .caseInsensitive])
        }
        define(SQLFunctionNames.finderCollation, on: database) { _, leftCount, left, rightCount, right in
            let first = String(decoding: SQLiteCollations.bytes(left, leftCount), as: UTF8.self)
            let second = String(decoding: SQLiteCollations.bytes(right, rightCount), as: UTF8.self)
            return Int32(first.localizedStandardCompare(second).rawValue)
        }
    }

    private static func define(_ name: SQLText, on database: OpaquePointer, _ body: Body) {
        sqlite3_create_collation_v2(database, name.string, SQLITE_UTF8, nil, body, nil)
    }

    private static func bytes(_ start: UnsafeRawPointer?, _ count: Int32) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: Int(count))
    }

    private static func compare(
        _ left: UnsafeRawPointer?,
        _ leftCount: Int32,
        _ right: UnsafeRawPointer?,
        _ rightCount: Int32,
        _ options: ComparisonOptions
    ) -> Int32 {
        Int32(SQLiteFunctions.compare(bytes(left, leftCount), bytes(right, rightCount), options))
    }
}
