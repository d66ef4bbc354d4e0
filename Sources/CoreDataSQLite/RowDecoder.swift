import CSQLite
import CoreDataModelFormat
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation

/// Decodes the current row of a statement into one packed row: the lengths of long values first, so that one
/// allocation holds everything.
struct RowDecoder {
    let handle: OpaquePointer
    let plan: ResultPlan
    let externalFiles: ExternalFiles

    func decode() -> Snapshot? {
        let number = Int(sqlite3_column_int64(handle, ResultPlan.entityColumn))
        guard plan.byEntityNumber.indices.contains(number), let entity = plan.byEntityNumber[number] else {
            return nil
        }
        let columns = entity.layout.columns
        let row = Snapshot.make(
            entity.layout,
            key: sqlite3_column_int64(handle, ResultPlan.keyColumn),
            version: sqlite3_column_int64(handle, ResultPlan.versionColumn),
            tailBytes: tailBytes(columns, entity.sources))
        let words = row.words
        for (column, described) in columns.enumerated() {
            let source = entity.sources[column]
            guard source >= 0 else { continue }
            // Scalars go straight to their words: this is the loop every fetch spends its time in.
            switch described.storage {
            case .integer:
                let value = sqlite3_column_int64(handle, source)
                if value != 0 || !isNull(source) {
                    words[described.offset] = UInt64(bitPattern: value)
                    markPresent(column, words)
                }
            case .double:
                let value = sqlite3_column_double(handle, source)
                if value != 0 || !isNull(source) {
                    words[described.offset] = value.bitPattern
                    markPresent(column, words)
                }
            case .text:
                guard let start = sqlite3_column_text(handle, source) else { continue }
                let count = Int(sqlite3_column_bytes(handle, source))
                row.setPacked(column, UnsafeRawBufferPointer(start: start, count: count))
            case .reference:
                let key = sqlite3_column_int64(handle, source)
                if key != 0 { row.setToOne(column, reference(key, column, entity)) }
            case .bytes:
                decodeBytes(source, into: column, of: row, isMarked: described.allowsExternalStorage)
            case .uuid: decodeUUID(source, into: column, of: row)
            case .decimal: decodeDecimal(source, into: column, of: row)
            }
        }
        for composite in entity.composites {
            row.setValue(
                composite.column,
                .composite(
                    of: composite.elements.map {
                        ($0.path[...], AttributeValue(SQLValue(handle, column: $0.source), as: $0.type))
                    }))
        }
        return row
    }

    /// Takes the column out of the null mask (`RowLayout`).
    @inline(__always)
    private func markPresent(_ column: Int, _ words: UnsafeMutablePointer<UInt64>) {
        words[3 * (column >> 6)] &= ~(1 << UInt64(column & 63))
    }

    private func tailBytes(_ columns: [RowLayout.Column], _ sources: [Int32]) -> Int {
        var total = 0
        for (column, described) in columns.enumerated() {
            let source = sources[column]
            guard source >= 0 else { continue }
            switch described.storage {
            case .text:
                // Makes the value a text before its length is asked for.
                guard sqlite3_column_text(handle, source) != nil else { continue }
            case .bytes: break
            case .integer, .double, .uuid, .decimal, .reference: continue
            }
            let count = Int(sqlite3_column_bytes(handle, source))
            if Snapshot.needsTail(count) { total += count }
        }
        return total
    }

    /// Asked for only where the value reads as zero: the test costs as much as the value.
    private func isNull(_ source: Int32) -> Bool { sqlite3_column_type(handle, source) == SQLITE_NULL }

    private func reference(
        _ key: Int64,
        _ column: Int,
        _ entity: ResultPlan.EntityPlan
    ) -> ObjectReference {
        let source = entity.entitySources[column]
        if source >= 0 {
            let number = Int(sqlite3_column_int64(handle, source))
            if plan.entityIndexByNumber.indices.contains(number), plan.entityIndexByNumber[number] >= 0 {
                return ObjectReference(entity: plan.entityIndexByNumber[number], key: key)
            }
        }
        let slot = entity.layout.columns[column].slot
        let destination = entity.layout.entity.slots[slot].relationship?.destination
        return ObjectReference(entity: destination ?? entity.layout.entity.index, key: key)
    }

    private func decodeBytes(_ source: Int32, into column: Int, of row: Snapshot, isMarked: Bool) {
        guard let start = sqlite3_column_blob(handle, source) else {
            if !isNull(source) { row.setPacked(column, UnsafeRawBufferPointer(start: nil, count: 0)) }
            return
        }
        let bytes = UnsafeRawBufferPointer(
            start: start, count: Int(sqlite3_column_bytes(handle, source)))
        guard isMarked else {
            row.setPacked(column, bytes)
            return
        }
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
