import CSQLite
import CoreDataPredicates
import CoreDataSQL
import Foundation

/// The SQL functions that compiled queries (`SQLFunctionNames`) and the triggers of stores call.
///
/// A file from an untrusted source may call them in its triggers and indexes. All but one only compute
/// values. The one that reads files can be called only by statements of this process.
enum SQLiteFunctions {
    typealias Arguments = UnsafeMutablePointer<OpaquePointer?>
    typealias Body = @convention(c) (OpaquePointer?, Int32, Arguments?) -> Void

    static func register(on database: OpaquePointer) {
        define(SQLFunctionNames.stringSearch, arguments: 4, on: database) { context, _, arguments in
            guard let arguments, let haystack = SQLiteFunctions.text(arguments[1]),
                let matcher = StringMatcher.matcher(context, arguments)
            else { return }
            sqlite3_result_int(context, matcher.matches(haystack) ? 1 : 0)
        }
        define(SQLFunctionNames.stringCompare, arguments: 3, on: database) { context, _, arguments in
            guard let arguments, let left = SQLiteFunctions.text(arguments[0]),
                let right = SQLiteFunctions.text(arguments[1])
            else { return }
            let options = ComparisonOptions(rawValue: UInt(sqlite3_value_int(arguments[2])))
            sqlite3_result_int(context, Int32(SQLiteFunctions.compare(left, right, options)))
        }
        define(SQLFunctionNames.lowercase, arguments: 1, on: database) { context, _, arguments in
            SQLiteFunctions.map(context, arguments) { $0.lowercased() }
        }
        define(SQLFunctionNames.uppercase, arguments: 1, on: database) { context, _, arguments in
            SQLiteFunctions.map(context, arguments) { $0.uppercased() }
        }
        define(SQLFunctionNames.canonical, arguments: 1, on: database) { context, _, arguments in
            SQLiteFunctions.map(context, arguments) {
                StringComparison.foldedKey($0, options: [.caseInsensitive, .diacriticInsensitive])
            }
        }
        define(SQLFunctionNames.folded, arguments: 2, on: database) { context, _, arguments in
            let options = ComparisonOptions(rawValue: UInt(sqlite3_value_int(arguments?[1])))
            SQLiteFunctions.map(context, arguments) { StringComparison.foldedKey($0, options: options) }
        }
        define(SQLFunctionNames.length, arguments: 1, on: database) { context, _, arguments in
            guard let bytes = SQLiteFunctions.text(arguments?[0]) else { return }
            sqlite3_result_int64(context, Int64(String(decoding: bytes, as: UTF8.self).utf16.count))
        }
        define(SQLFunctionNames.now, arguments: 0, flags: SQLITE_INNOCUOUS, on: database) { context, _, _ in
            sqlite3_result_double(context, Date().timeIntervalSinceReferenceDate)
        }
        SQLiteAggregates.register(on: database)
        registerTriggerFunctions(on: database)
    }

    /// Registers the functions by which triggers of derived attributes report changes (sqlite-store §10).
    /// They do nothing, since a save learns from SQLite itself which rows triggers wrote (`ChangeRecorder`).
    private static func registerTriggerFunctions(on database: OpaquePointer) {
        let names = [
            SQLFunctionNames.updateReport, SQLFunctionNames.insertReport, SQLFunctionNames.customReport,
        ]
        for name in names {
            define(name, arguments: 5, on: database) { context, _, _ in sqlite3_result_null(context) }
        }
    }

    /// Registers the function that reads external files. The connection owns both the files and the handle,
    /// so the files live as long as the function.
    static func registerContents(of files: ExternalFiles, on database: OpaquePointer) {
        define(
            SQLFunctionNames.contents, arguments: 1, flags: SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
            data: Unmanaged.passUnretained(files).toOpaque(), on: database
        ) { context, _, arguments in
            let value = arguments?[0]
            guard let start = sqlite3_value_blob(value), let data = sqlite3_user_data(context) else { return }
            let stored = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
            switch ExternalFiles.Stored(stored) {
            case .value(let bytes): SQLiteFunctions.answer(context, bytes)
            case .file(let name):
                let files = Unmanaged<ExternalFiles>.fromOpaque(data).takeUnretainedValue()
                // An unreadable value is NULL, so that values in other rows are still found.
                (try? files.read(name))?.withUnsafeBytes { SQLiteFunctions.answer(context, $0) }
            case .unknown: break
            }
        }
    }

    private static func answer(_ context: OpaquePointer?, _ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return sqlite3_result_zeroblob(context, 0)
        }
        sqlite3_result_blob64(context, start, UInt64(bytes.count), opencoredata_transient())
    }

    private static func define(
        _ name: SQLText,
        arguments: Int32,
        flags: Int32 = SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
        data: UnsafeMutableRawPointer? = nil,
        on database: OpaquePointer,
        _ body: Body
    ) {
        sqlite3_create_function_v2(
            database, name.string, arguments, SQLITE_UTF8 | flags, data, body, nil, nil, nil)
    }

    // MARK: Values

    /// Returns the bytes of an argument, for a number those of its text; nil for NULL. Valid until the SQL
    /// function returns.
    static func text(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
        guard let start = sqlite3_value_text(value) else { return nil }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    /// Returns the transformed text to SQLite, or NULL for NULL.
    private static func map(
        _ context: OpaquePointer?,
        _ arguments: Arguments?,
        _ body: (String) -> String
    ) {
        guard let bytes = text(arguments?[0]) else { return }
        var result = body(String(decoding: bytes, as: UTF8.self))
        result.withUTF8 { utf8 in
            guard let start = utf8.baseAddress, !utf8.isEmpty else {
                sqlite3_result_text(context, "", 0, opencoredata_transient())
                return
            }
            start.withMemoryRebound(to: CChar.self, capacity: utf8.count) {
                sqlite3_result_text(context, $0, Int32(utf8.count), opencoredata_transient())
            }
        }
    }

    static func compare(
        _ left: UnsafeBufferPointer<UInt8>,
        _ right: UnsafeBufferPointer<UInt8>,
        _ options: ComparisonOptions
    ) -> Int {
        guard options.contains(.localeSensitive) else {
            return StringComparison.compare(left, right, options: options)
        }
        return StringComparison.compare(
            String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self), options: options)
    }
}
