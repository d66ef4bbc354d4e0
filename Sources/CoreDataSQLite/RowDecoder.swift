import CSQLite
import CoreDataModelFormat
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation

/// The decoder of a statement's result into packed rows. It reads the lengths of long values first, so that
/// each row is one allocation.
final class RowDecoder {
    let plan: ResultPlan
    private let handle: OpaquePointer
    private let externalFiles: ExternalFiles
    /// The entity of the last row, which is usually also that of the next one.
    @exclusivity(unchecked) private var last: (number: Int64, plan: ResultPlan.EntityPlan?) = (-1, nil)
    /// The texts and blobs of the present row, in unmanaged memory, which is written without a uniqueness
    /// check.
    @exclusivity(unchecked) private var values = UnsafeMutableBufferPointer<UnsafeRawBufferPointer>(
        start: nil, count: 0)

    init(_ handle: OpaquePointer, _ plan: ResultPlan, _ externalFiles: ExternalFiles) {
        self.handle = handle
        self.plan = plan
        self.externalFiles = externalFiles
    }

    deinit { values.deallocate() }

    /// Decodes the statement's current row. Nil if its entity number is not in the plan, or if its key is
    /// below 1, since such keys belong to unsaved objects.
    func decode() -> Snapshot? {
        let number = sqlite3_column_int64(handle, ResultPlan.entityColumn)
        if number != last.number { last = (number, plan.entity(numbered: number)) }
        let key = sqlite3_column_int64(handle, ResultPlan.keyColumn)
        guard let entity = last.plan, key > 0 else { return nil }
        let layouts = entity.layout.columnPointer
        let row = Snapshot.make(
            entity.layout,
            key: key,
            version: sqlite3_column_int64(handle, ResultPlan.versionColumn),
            tailBytes: findLengthyValues(entity.lengthy, layouts))
        for (index, source) in entity.lengthy.enumerated() {
            decode(values[index], of: source, as: layouts[source.column], into: row)
        }
        decodeScalars(entity, layouts, into: row)
        if !entity.composites.isEmpty { decodeComposites(entity, into: row) }
        return row
    }

    /// Notes the texts and blobs of the present row, and returns the number of bytes that need room in its
    /// tail.
    private func findLengthyValues(
        _ sources: [ResultPlan.Source], _ layouts: UnsafePointer<RowLayout.Column>
    ) -> Int {
        var tailBytes = 0
        if values.count < sources.count {
            values.deallocate()
            values = .allocate(capacity: sources.count)
        }
        for (index, source) in sources.enumerated() {
            let value = bytes(source.source, of: layouts[source.column].storage)
            values.initializeElement(at: index, to: value)
            if Snapshot.needsTail(value.count) { tailBytes += value.count }
        }
        return tailBytes
    }

    /// Returns a text or blob in SQLite's memory; without an address for null and for an empty blob. The
    /// pointer is read first, since that may convert the value and change its size.
    private func bytes(_ source: Int32, of storage: RowLayout.Storage) -> UnsafeRawBufferPointer {
        let start: UnsafeRawPointer?
        if case .text = storage {
            start = UnsafeRawPointer(sqlite3_column_text(handle, source))
        } else {
            start = sqlite3_column_blob(handle, source)
        }
        guard let start else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, source)))
    }

    private func decode(
        _ value: UnsafeRawBufferPointer, of source: ResultPlan.Source, as layout: RowLayout.Column,
        into row: Snapshot
    ) {
        switch (layout.storage, value.baseAddress) {
        case (.bytes, nil): if !isNull(source.source) { row.setPacked(source.column, value) }
        case (_, nil): break
        case (.bytes, _) where layout.allowsExternalStorage:
            decodeMarked(value, into: source.column, of: row)
        default: row.setPacked(source.column, value)
        }
    }

    private func decodeScalars(
        _ entity: ResultPlan.EntityPlan, _ layouts: UnsafePointer<RowLayout.Column>, into row: Snapshot
    ) {
        let words = row.words
        for scalar in entity.scalars {
            let (column, source) = (scalar.column, scalar.source)
            // Numbers are written directly into their words, since fetches spend most of their time in this
            // loop.
            switch layouts[column].storage {
            case .integer:
                let value = sqlite3_column_int64(handle, source)
                if value != 0 || !isNull(source) {
                    words[layouts[column].offset] = UInt64(bitPattern: value)
                    Snapshot.markPresent(column, in: words)
                }
            case .double:
                let value = sqlite3_column_double(handle, source)
                if value != 0 || !isNull(source) {
                    words[layouts[column].offset] = value.bitPattern
                    Snapshot.markPresent(column, in: words)
                }
            case .reference:
                let key = sqlite3_column_int64(handle, source)
                if key > 0, let destination = entity.destinations[column] {
                    row.setToOne(column, reference(key, destination))
                }
            case .uuid: decodeUUID(source, into: column, of: row)
            case .decimal: decodeDecimal(source, into: column, of: row)
            case .text, .bytes: break
            }
        }
    }

    private func decodeComposites(_ entity: ResultPlan.EntityPlan, into row: Snapshot) {
        for composite in entity.composites {
            row.setValue(
                composite.column,
                .composite(
                    of: composite.elements.map {
                        ($0.path[...], AttributeValue(SQLValue(handle, column: $0.source), as: $0.type))
                    }))
        }
    }

    /// Returns whether a value is null. Called only for values that read as zero, since it takes as long as a
    /// read.
    private func isNull(_ source: Int32) -> Bool { sqlite3_column_type(handle, source) == SQLITE_NULL }

    /// Returns a to-one reference. The number of an entity that the relationship does not allow is ignored.
    private func reference(_ key: Int64, _ destination: ResultPlan.Destination) -> ObjectReference {
        if destination.entitySource >= 0 {
            let number = Int(sqlite3_column_int64(handle, destination.entitySource))
            if plan.entityIndexByNumber.indices.contains(number),
                destination.family.contains(plan.entityIndexByNumber[number])
            {
                return ObjectReference(entity: plan.entityIndexByNumber[number], key: key)
            }
        }
        return ObjectReference(entity: destination.entity, key: key)
    }

    /// Decodes a value that may be in an external file.
    private func decodeMarked(_ bytes: UnsafeRawBufferPointer, into column: Int, of row: Snapshot) {
        switch ExternalFiles.Stored(bytes) {
        case .value(let value): row.setPacked(column, value)
        case .file(let name):
            do throws(ExternalFiles.Unreadable) {
                row.setData(column, try externalFiles.read(name))
            } catch {
                let path = externalFiles.path(name)
                row.setUnreadable(
                    column, UnreadableValue(error.reason, stored: Data(bytes), path: path))
            }
        case .unknown:
            row.setUnreadable(column, UnreadableValue(.unknownForm, stored: Data(bytes), path: nil))
        }
    }

    private func decodeUUID(_ source: Int32, into column: Int, of row: Snapshot) {
        guard let start = sqlite3_column_blob(handle, source),
            sqlite3_column_bytes(handle, source) == MemoryLayout<uuid_t>.size
        else { return }
        row.setUUID(column, UUID(uuid: start.loadUnaligned(as: uuid_t.self)))
    }

    private func decodeDecimal(_ source: Int32, into column: Int, of row: Snapshot) {
        switch sqlite3_column_type(handle, source) {
        case SQLITE_INTEGER: row.setDecimal(column, Decimal(sqlite3_column_int64(handle, source)))
        case SQLITE_FLOAT:
            row.setDecimal(column, Decimal(written: sqlite3_column_double(handle, source)))
        case SQLITE_TEXT:
            guard let text = sqlite3_column_text(handle, source),
                let value = Decimal(string: String(cString: text))
            else { return }
            row.setDecimal(column, value)
        default: break
        }
    }
}
