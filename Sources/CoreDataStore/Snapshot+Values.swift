import CoreDataModelFormat
package import CoreDataValues
import Foundation

extension Snapshot {
    /// Returns the value of a column, unpacked. Not for hot paths: it copies texts and blobs.
    package func value(_ column: Int) -> AttributeValue {
        guard !isNull(column) else { return .null }
        let slot = columnLayout(column)
        switch slot.storage {
        case .integer:
            return slot.type == .boolean ? .boolean(integer(column) != 0) : .integer(integer(column))
        case .double:
            if slot.type == .date { return .date(Date(timeIntervalSinceReferenceDate: double(column))) }
            return .double(double(column))
        case .text:
            guard slot.type == .uri else { return .string(string(column)) }
            return URL(string: string(column)).map(AttributeValue.uri) ?? .null
        case .bytes:
            guard slot.type == .composite else { return .data(data(column)) }
            return (try? CompositeBytes.decode(data(column))).map(AttributeValue.composite) ?? .null
        case .uuid: return .uuid(uuid(column))
        case .decimal: return .decimal(decimal(column))
        case .reference: return toOne(column).map(AttributeValue.reference) ?? .null
        }
    }

    /// Replaces temporary references in to-one columns by the permanent ones.
    package func renameReferences(_ renamed: ReferenceMap) {
        guard hasReferences, !renamed.isEmpty else { return }
        for column in layout.entity.referenceColumns {
            guard let reference = toOne(column), reference.isTemporary, let permanent = renamed[reference]
            else { continue }
            setToOne(column, permanent)
        }
    }

    /// Writes a value into a column. Numbers are converted to the column's storage; any other value that does
    /// not fit makes the column null.
    package func setValue(_ column: Int, _ value: AttributeValue) {
        let storage = columnLayout(column).storage
        switch (storage, value) {
        case (.integer, .integer(let number)): setInteger(column, number)
        case (.integer, .boolean(let flag)): setInteger(column, flag ? 1 : 0)
        case (.integer, .double(let number)):
            // The number is too large, infinite or NaN.
            guard let whole = Int64(exactly: number.rounded(.towardZero)) else { return setNull(column) }
            setInteger(column, whole)
        case (.integer, .decimal(let number)):
            setInteger(column, NSDecimalNumber(decimal: number).int64Value)
        case (.double, .double(let number)): setDouble(column, number)
        case (.double, .integer(let number)): setDouble(column, Double(number))
        case (.double, .boolean(let flag)): setDouble(column, flag ? 1 : 0)
        case (.double, .date(let date)): setDouble(column, date.timeIntervalSinceReferenceDate)
        case (.double, .decimal(let number)):
            setDouble(column, NSDecimalNumber(decimal: number).doubleValue)
        case (.text, .string(let text)): setString(column, text)
        case (.text, .uri(let url)): setString(column, url.absoluteString)
        case (.bytes, .data(let data)): setData(column, data)
        case (.bytes, .composite(let elements)):
            if let bytes = CompositeBytes.encode(elements) { setData(column, bytes) } else { setNull(column) }
        case (.uuid, .uuid(let uuid)): setUUID(column, uuid)
        case (.decimal, .decimal(let number)): setDecimal(column, number)
        case (.decimal, .integer(let number)): setDecimal(column, Decimal(number))
        case (.decimal, .double(let number)): setDecimal(column, Decimal(anyOf: number))
        case (.decimal, .boolean(let flag)): setDecimal(column, flag ? 1 : 0)
        case (.reference, .reference(let reference)): setToOne(column, reference)
        default: setNull(column)
        }
    }

    /// Returns the columns whose values differ from those of another row of the same layout.
    package func columns(differingFrom other: Snapshot) -> ColumnMask {
        var result = ColumnMask()
        let (mine, theirs, layouts, count) = (words, other.words, columnLayouts, columnCount)
        guard count > 0 else { return result }
        for group in 0...(count - 1) >> 6 {
            let masks = 3 * group
            // A value in the tail may lie at another offset in the other row.
            var heldOtherwise =
                (mine[masks] ^ theirs[masks]) | (mine[masks + 1] | theirs[masks + 1])
                | (mine[masks + 2] ^ theirs[masks + 2])
            while heldOtherwise != 0 {
                let column = group << 6 + heldOtherwise.trailingZeroBitCount
                if !isEqual(column, to: other) { result.insert(column) }
                heldOtherwise &= heldOtherwise - 1
            }
        }
        // All other values lie in the words, most of which are equal in a row that was copied and changed.
        var column = 0
        for word in layouts[0].offset..<wordCount where mine[word] != theirs[word] {
            while column + 1 < count, layouts[column + 1].offset <= word { column += 1 }
            if !result.contains(column), !isEqual(column, to: other) { result.insert(column) }
        }
        return result
    }

    /// Returns whether a column holds the same value in two rows of one layout.
    package func isEqual(_ column: Int, to other: Snapshot) -> Bool {
        if isNull(column) || other.isNull(column) {
            return isNull(column) == other.isNull(column)
                && unreadableValue(column)?.stored == other.unreadableValue(column)?.stored
        }
        switch columnLayout(column).storage {
        case .integer: return integer(column) == other.integer(column)
        case .double: return double(column) == other.double(column)
        case .uuid: return uuid(column) == other.uuid(column)
        case .decimal: return decimal(column) == other.decimal(column)
        case .reference: return toOne(column) == other.toOne(column)
        case .text, .bytes:
            let mine = Self.bytes(column, columnLayouts + column, in: words)
            let theirs = Self.bytes(column, columnLayouts + column, in: other.words)
            return mine.count == theirs.count
                && (mine.isEmpty || memcmp(mine.baseAddress!, theirs.baseAddress!, mine.count) == 0)
        }
    }
}
