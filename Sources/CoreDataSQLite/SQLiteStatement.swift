import CSQLite
package import CoreDataSQL
package import CoreDataStore
import CoreDataValues
import Foundation

/// A prepared statement of one connection.
///
/// Texts and blobs of packed rows are bound in place, without a copy. Every run binds every placeholder, so
/// values of an earlier run are never read again.
package final class SQLiteStatement: SQLStatement {
    private let handle: OpaquePointer
    private let database: OpaquePointer
    private let externalFiles: ExternalFiles
    private let sql: SQLText
    @exclusivity(unchecked) private(set) var isActive = false
    @exclusivity(unchecked) var lastUse: UInt64 = 0
    /// The decoder for the plan that was used last.
    @exclusivity(unchecked) private var decoder: RowDecoder<StatementCells>?
    /// The trace of the present run; nil while nothing listens to the log.
    @exclusivity(unchecked) private var trace: StatementTrace?

    init(_ sql: SQLText, on connection: SQLiteConnection) throws(SQLError) {
        database = connection.database
        externalFiles = connection.externalFiles
        self.sql = sql
        var handle: OpaquePointer?
        var text = sql.string
        let code = text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { bytes in
                sqlite3_prepare_v3(
                    connection.database, bytes.baseAddress, Int32(bytes.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
            }
        }
        guard code == SQLITE_OK, let handle else {
            throw SQLError(code: code, database: connection.database, sql: sql)
        }
        self.handle = handle
    }

    deinit {
        sqlite3_finalize(handle)
    }

    // MARK: Binding

    package func bind(_ values: [SQLValue]) throws(SQLError) {
        if isActive { reset() }
        for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
    }

    package func bind(_ value: SQLValue, at index: Int) throws(SQLError) {
        if SQLLog.isEnabled { tracing { $0.bind(value, at: index) } }
        let position = Int32(index)
        switch value {
        case .null: try check(sqlite3_bind_null(handle, position))
        case .integer(let number): try check(sqlite3_bind_int64(handle, position, number))
        case .double(let number): try check(sqlite3_bind_double(handle, position, number))
        case .text(var text):
            let code = text.withUTF8 { utf8 in
                bindText(UnsafeRawBufferPointer(utf8), at: position, opencoredata_transient())
            }
            try check(code)
        case .blob(let data):
            try check(data.withUnsafeBytes { bindBlob($0, at: position, opencoredata_transient()) })
        case .integers(let numbers): try bind(.text(JSONArray.text(of: numbers)), at: index)
        case .texts(let texts): try bind(.text(JSONArray.text(of: texts)), at: index)
        }
    }

    package func bind(_ number: Int64, at index: Int) throws(SQLError) {
        if SQLLog.isEnabled { tracing { $0.bind(.integer(number), at: index) } }
        try check(sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: index), number))
    }

    package func bind(_ row: Snapshot, columns: [Int], from first: Int) throws(SQLError) {
        if SQLLog.isEnabled { tracing { $0.bind(row, columns: columns, from: first) } }
        var position = Int32(truncatingIfNeeded: first)
        let (words, layouts) = (row.words, row.columnLayouts)
        for column in columns {
            let layout = layouts + column
            let code: Int32
            if Snapshot.mask(.null, column, in: words) {
                code = bindNull(row, column, at: position)
            } else {
                let value = words + layout.pointee.offset
                switch layout.pointee.storage {
                case .integer: code = sqlite3_bind_int64(handle, position, Int64(bitPattern: value.pointee))
                case .double:
                    code = bindDouble(Double(bitPattern: value.pointee), layout.pointee.type, at: position)
                case .reference: code = sqlite3_bind_int64(handle, position, Int64(bitPattern: value[1]))
                case .decimal: code = bindDecimal(row.decimal(column), at: position)
                case .uuid:
                    code = bindBlob(
                        UnsafeRawBufferPointer(start: value, count: 16), at: position, opencoredata_static())
                case .text:
                    code = bindText(
                        Snapshot.bytes(column, layout, in: words), at: position, opencoredata_static())
                case .bytes:
                    let bytes = Snapshot.bytes(column, layout, in: words)
                    code =
                        layout.pointee.allowsExternalStorage
                        ? try bindMarked(bytes, at: position)
                        : bindBlob(bytes, at: position, opencoredata_static())
                }
            }
            try check(code)
            position += 1
        }
    }

    /// Binds null, or the stored bytes of a value that cannot be read, so that these bytes stay in the store.
    private func bindNull(_ row: Snapshot, _ column: Int, at position: Int32) -> Int32 {
        guard let value = row.unreadableValue(column) else { return sqlite3_bind_null(handle, position) }
        externalFiles.keep(value.stored)
        return value.stored.withUnsafeBytes { bindBlob($0, at: position, opencoredata_transient()) }
    }

    /// Binds a double; a date of whole seconds is stored as an integer (sqlite-store §6).
    private func bindDouble(_ value: Double, _ type: AttributeType, at position: Int32) -> Int32 {
        if type == .date, let seconds = Int64(exactly: value) {
            return sqlite3_bind_int64(handle, position, seconds)
        }
        return sqlite3_bind_double(handle, position, value)
    }

    /// Binds a decimal as a double if that is exact, since making the text of a decimal takes longer than
    /// writing its row. Otherwise binds it as text, which the column's numeric affinity turns into a number.
    private func bindDecimal(_ value: Decimal, at position: Int32) -> Int32 {
        if let double = value.nearestDouble { return sqlite3_bind_double(handle, position, double) }
        var text = value.description
        return text.withUTF8 {
            bindText(UnsafeRawBufferPointer($0), at: position, opencoredata_transient())
        }
    }

    /// Binds marker 01 and the bytes, or marker 02 and the name of a file to which a large value is written
    /// (sqlite-store §6).
    private func bindMarked(_ bytes: UnsafeRawBufferPointer, at position: Int32) throws(SQLError) -> Int32 {
        let marked =
            bytes.count > ExternalBytes.longestInline ? try externalFiles.write(bytes) : Data([1]) + bytes
        return marked.withUnsafeBytes { bindBlob($0, at: position, opencoredata_transient()) }
    }

    /// Binds a text, never with a nil pointer, which would bind NULL instead of an empty text.
    private func bindText(
        _ bytes: UnsafeRawBufferPointer,
        at position: Int32,
        _ lifetime: sqlite3_destructor_type?
    ) -> Int32 {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return sqlite3_bind_text(handle, position, "", 0, opencoredata_transient())
        }
        return sqlite3_bind_text(
            handle, position, start.assumingMemoryBound(to: CChar.self), Int32(bytes.count), lifetime)
    }

    private func bindBlob(
        _ bytes: UnsafeRawBufferPointer,
        at position: Int32,
        _ lifetime: sqlite3_destructor_type?
    ) -> Int32 {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return sqlite3_bind_zeroblob(handle, position, 0)
        }
        return sqlite3_bind_blob(handle, position, start, Int32(bytes.count), lifetime)
    }

    private func check(_ code: Int32) throws(SQLError) {
        guard code == SQLITE_OK else { throw SQLError(code: code, database: database, sql: sql) }
    }

    // MARK: Running

    package func step() throws(SQLError) -> Bool {
        if !isActive {
            isActive = true
            // The query plan is read before the run; reading it after the run would reset the number of
            // changed rows.
            if SQLLog.isEnabled { tracing { $0.start { QueryPlan.lines(of: sql, on: database) } } }
        }
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW {
            trace?.returnRow((0..<Int32(columnCount)).map { value(at: $0) })
            return true
        }
        if code == SQLITE_DONE {
            reset()
            return false
        }
        let error = SQLError(code: code, database: database, sql: sql)
        end(error)
        throw error
    }

    package func reset() {
        end(nil)
    }

    private func end(_ failure: SQLError?) {
        if isActive, let trace { report(trace, failure) }
        isActive = false
        sqlite3_reset(handle)
    }

    package var changedRowCount: Int { Int(sqlite3_changes64(database)) }

    // MARK: Logging

    /// Collects data for the log. Listeners may have been added or removed since the last run.
    @inline(never)
    private func tracing(_ collect: (StatementTrace) -> Void) {
        guard let trace = trace.map({ $0.renewed() }) ?? .current else { return }
        collect(trace)
        self.trace = trace
    }

    @inline(never)
    private func report(_ trace: StatementTrace, _ failure: SQLError?) {
        let path = sqlite3_db_filename(database, "main").map { String(cString: $0) } ?? ""
        SQLLog.report(trace.entry(path: path, sql: sql.string) { outcome(failure, rowCount: $0) })
        self.trace = trace.renewed()
    }

    private func outcome(_ failure: SQLError?, rowCount: Int) -> SQLLogEntry.Outcome {
        if let failure { return .failed(failure.message) }
        if columnCount > 0 { return .returned(rowCount) }
        let writes = ["INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"].contains { sql.string.hasPrefix($0) }
        return writes ? .wrote(changedRowCount) : .ran
    }

    // MARK: Reading

    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    package func integer(at column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    package func value(at column: Int32) -> SQLValue { SQLValue(handle, column: column) }

    /// Returns SQLite's number of the type of a value in the current row.
    func storageClass(at column: Int32) -> Int32 { sqlite3_column_type(handle, column) }

    func double(at column: Int32) -> Double { sqlite3_column_double(handle, column) }

    /// Returns the bytes of a text or blob of the current row, which are valid until the next step.
    func bytes(at column: Int32) -> UnsafeRawBufferPointer {
        // The pointer is read first, since that may convert the value and change its size.
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    package func decodeRow(_ plan: ResultPlan) -> Snapshot? {
        decoder(of: plan).decode(cells)
    }

    private var cells: StatementCells { StatementCells(handle: handle, externalFiles: externalFiles) }

    private func decoder(of plan: ResultPlan) -> RowDecoder<StatementCells> {
        if let decoder, decoder.plan === plan { return decoder }
        let new = RowDecoder<StatementCells>(plan)
        decoder = new
        return new
    }

    package func decodeRows(_ plan: ResultPlan, watch: FetchWatch?) throws(SQLError) -> [Snapshot] {
        let decoder = decoder(of: plan)
        let cells = cells
        var rows: [Snapshot] = []
        while try step() {
            if let row = decoder.decode(cells) { rows.append(row) }
            watch?.noteRow()
        }
        return rows
    }
}

extension SQLValue {
    /// Reads a column of a statement's current row.
    init(_ statement: OpaquePointer, column: Int32) {
        /// Returns bytes. The pointer is read first, since that may convert the value and change its size.
        func bytes(_ start: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        }
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: self = .double(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            self = .text(String(decoding: bytes(sqlite3_column_text(statement, column)), as: UTF8.self))
        case SQLITE_BLOB: self = .blob(Data(bytes(sqlite3_column_blob(statement, column))))
        default: self = .null
        }
    }
}
