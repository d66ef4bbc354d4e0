package import CoreDataValues
import Foundation

extension Snapshot {
    /// The value of a column, unpacked. Not for hot paths: it boxes nothing but copies texts and blobs.
    package func value(_ column: Int) -> AttributeValue {
        guard !isNull(column) else { return .null }
        let slot = place(column)
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

    /// Has to-one columns refer to rows by the references those have now.
    package func renameReferences(_ renamed: ReferenceMap) {
        guard hasReferences, !renamed.isEmpty else { return }
        for column in layout.references {
            guard let reference = toOne(column), reference.isTemporary, let permanent = renamed[reference]
            else { continue }
            setToOne(column, permanent)
        }
    }

    /// Writes a value that fits the column's storage; numbers are converted to it.
    package func setValue(_ column: Int, _ value: AttributeValue) {
        let storage = place(column).storage
        switch (storage, value) {
        case (.integer, .integer(let number)): setInteger(column, number)
        case (.integer, .boolean(let flag)): setInteger(column, flag ? 1 : 0)
        case (.integer, .double(let number)):
            // Too large, or no number at all.
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

    /// The columns whose values are not those of another row of the layout.
    package func columns(differingFrom other: Snapshot) -> ColumnMask {
        var result = ColumnMask()
        let (mine, theirs, places) = (words, other.words, places)
        for column in 0..<columnCount {
            // Most columns of a row that was copied and changed hold their value in the very form of the other row. A
            // value in the tail may lie elsewhere.
            let group = 3 * (column >> 6)
            let heldOtherwise =
                (mine[group] ^ theirs[group]) | (mine[group + 1] | theirs[group + 1])
                | (mine[group + 2] ^ theirs[group + 2])
            var isSame = heldOtherwise & (1 << UInt64(truncatingIfNeeded: column & 63)) == 0
            let end = column + 1 < columnCount ? places[column + 1].offset : wordCount
            var word = places[column].offset
            while isSame, word < end {
                isSame = mine[word] == theirs[word]
                word += 1
            }
            if !isSame, !isEqual(column, to: other) { result.insert(column) }
        }
        return result
    }

    /// Whether a column holds the same value in two rows of one layout.
    package func isEqual(_ column: Int, to other: Snapshot) -> Bool {
        if isNull(column) || other.isNull(column) {
            return isNull(column) == other.isNull(column)
                && unreadableValue(column)?.stored == other.unreadableValue(column)?.stored
        }
        switch place(column).storage {
        case .integer: return integer(column) == other.integer(column)
        case .double: return double(column) == other.double(column)
        case .uuid: return uuid(column) == other.uuid(column)
        case .decimal: return decimal(column) == other.decimal(column)
        case .reference: return toOne(column) == other.toOne(column)
        case .text, .bytes:
            return withBytes(column) { mine in
                other.withBytes(column) { theirs in
                    mine.count == theirs.count
                        && (mine.isEmpty || memcmp(mine.baseAddress!, theirs.baseAddress!, mine.count) == 0)
                }
            }
        }
    }
}
