import CoreDataValues
import Foundation

/// A writer of binary property lists.
///
/// Equal values give equal bytes: equal scalars share one object, and dictionaries are sorted by key.
struct BinaryPropertyListWriter {
    private enum Item {
        case scalar(PropertyList)
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private var items: [Item] = []
    private var scalars: [PropertyList: Int] = [:]

    /// The usual number of objects in an archive of a few values. The tables begin with this capacity, so
    /// that they need not grow.
    private static let usualCount = 48

    static func write(_ root: PropertyList) -> Data {
        var writer = BinaryPropertyListWriter()
        writer.items.reserveCapacity(usualCount)
        writer.scalars.reserveCapacity(usualCount)
        _ = writer.add(root)
        return writer.data()
    }

    /// Numbers the objects of the value, containers before their contents, and returns the number of the
    /// value itself.
    private mutating func add(_ value: PropertyList) -> Int {
        let index = items.count
        switch value {
        case .array(let elements):
            items.append(.array([]))
            items[index] = .array(elements.map { add($0) })
        case .dictionary(let entries):
            items.append(.dictionary(keys: [], values: []))
            let sorted = entries.sorted(byCodePointsOf: \.key)
            let keys = sorted.map { add(.string($0.key)) }
            items[index] = .dictionary(keys: keys, values: sorted.map { add($0.value) })
        default:
            let known = numberScalar(value, index)
            if known == index { items.append(.scalar(value)) }
            return known
        }
        return index
    }

    /// Returns the number of an equal scalar, or assigns the new number to this one.
    private mutating func numberScalar(_ value: PropertyList, _ new: Int) -> Int {
        func number(_ entry: inout Int) -> Int {
            if entry < 0 { entry = new }
            return entry
        }
        return number(&scalars[value, default: -1])
    }

    private func data() -> Data {
        let referenceSize = Self.size(of: items.count)
        var output: [UInt8] = []
        output.reserveCapacity(16 * items.count)
        output += "bplist00".utf8
        var offsets: [Int] = []
        offsets.reserveCapacity(items.count)
        for item in items {
            offsets.append(output.count)
            switch item {
            case .scalar(let value): Self.append(value, to: &output)
            case .array(let elements):
                Self.appendMarker(0xA, count: elements.count, to: &output)
                for element in elements { Self.append(element, size: referenceSize, to: &output) }
            case .dictionary(let keys, let values):
                Self.appendMarker(0xD, count: keys.count, to: &output)
                for reference in keys { Self.append(reference, size: referenceSize, to: &output) }
                for reference in values { Self.append(reference, size: referenceSize, to: &output) }
            }
        }
        let table = output.count
        let offsetSize = Self.size(of: table)
        for offset in offsets { Self.append(offset, size: offsetSize, to: &output) }
        output += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [items.count, 0, table] { Self.append(number, size: 8, to: &output) }
        return Data(output)
    }

    private static func append(_ value: PropertyList, to output: inout [UInt8]) {
        switch value {
        case .null: output.append(0x00)
        case .boolean(let value): output.append(value ? 0x09 : 0x08)
        case .integer(let value): appendInteger(value, to: &output)
        case .real(let value):
            output.append(0x23)
            append(Int(truncatingIfNeeded: value.bitPattern), size: 8, to: &output)
        case .date(let date):
            output.append(0x33)
            let bits = date.timeIntervalSinceReferenceDate.bitPattern
            append(Int(truncatingIfNeeded: bits), size: 8, to: &output)
        case .data(let data):
            appendMarker(0x4, count: data.count, to: &output)
            output += data
        case .string(let text): appendString(text, to: &output)
        case .uid(let index):
            let size = size(of: index)
            output.append(0x80 | UInt8(size - 1))
            append(index, size: size, to: &output)
        case .array, .dictionary: preconditionFailure("containers are written as items")
        }
    }

    private static func appendString(_ text: String, to output: inout [UInt8]) {
        var text = text
        let isASCII = text.withUTF8 { bytes in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return false }
            appendMarker(0x5, count: bytes.count, to: &output)
            output.append(contentsOf: bytes)
            return true
        }
        if isASCII { return }
        let units = Array(text.utf16)
        appendMarker(0x6, count: units.count, to: &output)
        for unit in units { append(Int(unit), size: 2, to: &output) }
    }

    /// Appends an integer. A negative one takes eight bytes, since shorter ones are unsigned.
    private static func appendInteger(_ value: Int64, to output: inout [UInt8]) {
        let size = value < 0 ? 8 : size(of: Int(value))
        output.append(0x10 | UInt8(size.trailingZeroBitCount))
        append(Int(value), size: size, to: &output)
    }

    private static func appendMarker(_ kind: UInt8, count: Int, to output: inout [UInt8]) {
        output.append(kind << 4 | UInt8(min(count, 15)))
        if count >= 15 { appendInteger(Int64(count), to: &output) }
    }

    private static func append(_ number: Int, size: Int, to output: inout [UInt8]) {
        if size == 1 { return output.append(UInt8(truncatingIfNeeded: number)) }
        for byte in (0..<size).reversed() { output.append(UInt8(truncatingIfNeeded: number >> (byte * 8))) }
    }

    /// Returns the number of bytes (1, 2, 4 or 8) that can represent every number from 0 to `maximum`.
    private static func size(of maximum: Int) -> Int {
        switch maximum {
        case 0...0xFF: 1
        case 0...0xFFFF: 2
        case 0...0xFFFF_FFFF: 4
        default: 8
        }
    }
}
