package import Foundation

/// A reader of binary property lists ("bplist00").
///
/// It throws for malformed input. No input makes it crash, recurse endlessly, or take more memory than the
/// objects themselves.
package struct BinaryPropertyListReader {
    static let magic = Array("bplist00".utf8)
    private static let trailerSize = 32
    /// The greatest number of objects of a list, each counted where it is referred to: more than models, metadata,
    /// version lists and archived values of the largest stores have.
    private static let largestCount = 4_000_000

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let offsetTable: Int
    /// The number of bytes that objects may still take.
    ///
    /// In an intact list, no two objects share bytes. If all of them overlapped, a file of some kilobytes
    /// could expand to as many gigabytes.
    private var remaining: Int
    /// The number of objects so far.
    private var parts = 0
    /// Objects that have been read, and how many they consist of.
    private var finished: [(value: PropertyList, parts: Int)?]
    private var unfinished: Set<Int> = []

    package static func read(_ data: Data) throws -> PropertyList {
        var (reader, root) = try open([UInt8](data))
        return try reader.object(root)
    }

    private static func open(_ bytes: [UInt8]) throws -> (BinaryPropertyListReader, root: Int) {
        guard bytes.starts(with: magic), bytes.count > magic.count + trailerSize else {
            throw malformed("it is no binary property list")
        }
        let trailer = bytes.count - trailerSize
        let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = integer(in: bytes, at: trailer + 8, size: 8),
            let root = integer(in: bytes, at: trailer + 16, size: 8),
            let table = integer(in: bytes, at: trailer + 24, size: 8),
            count <= bytes.count, root < count, table <= trailer, count * offsetSize <= trailer - table
        else { throw malformed("its trailer is wrong") }
        let reader = BinaryPropertyListReader(
            bytes: bytes, offsetSize: offsetSize, referenceSize: referenceSize, objectCount: count,
            offsetTable: table, remaining: 4 * bytes.count, finished: Array(repeating: nil, count: count))
        return (reader, root)
    }

    // MARK: Objects

    private mutating func object(_ index: Int) throws -> PropertyList {
        guard index < objectCount else { throw Self.malformed("object \(index) does not exist") }
        if let object = finished[index] {
            try count(object.parts)
            return object.value
        }
        guard unfinished.insert(index).inserted, unfinished.count < ForeignPropertyList.deepest else {
            throw Self.malformed("object \(index) contains itself")
        }
        defer { unfinished.remove(index) }
        let offset = try integer(at: offsetTable + index * offsetSize, size: offsetSize)
        let before = parts
        try count(1)
        let value = try decode(at: offset)
        finished[index] = (value, parts - before)
        return value
    }

    private mutating func count(_ objects: Int) throws {
        parts += objects
        guard parts <= Self.largestCount else { throw Self.malformed("it has too many parts") }
    }

    private mutating func decode(at offset: Int) throws -> PropertyList {
        let marker = try byte(at: offset)
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0: return try simple(marker)
        case 0x1: return .integer(try signedInteger(at: offset + 1, size: 1 << low))
        case 0x2: return .real(try real(at: offset + 1, size: 1 << low))
        case 0x3:
            let bits = UInt64(bitPattern: try signedInteger(at: offset + 1, size: 8))
            return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
        case 0x8: return .uid(try integer(at: offset + 1, size: low + 1))
        default:
            let (count, start) = try countAndStart(low, at: offset + 1)
            return try sized(marker >> 4, count: count, at: start)
        }
    }

    private func simple(_ marker: UInt8) throws -> PropertyList {
        switch marker {
        case 0x00: .null
        case 0x08: .boolean(false)
        case 0x09: .boolean(true)
        default: throw Self.malformed("unknown marker \(marker)")
        }
    }

    private mutating func sized(_ kind: UInt8, count: Int, at start: Int) throws -> PropertyList {
        remaining -= count
        guard remaining >= 0 else { throw Self.malformed("its objects overlap") }
        // Foundation copies texts and data at each reference.
        try self.count(count / 4096)
        switch kind {
        case 0x4: return .data(Data(try slice(start, count)))
        case 0x5: return .string(String(decoding: try slice(start, count), as: UTF8.self))
        case 0x6:
            let units = try slice(start, count * 2)
            let pairs = stride(from: units.startIndex, to: units.endIndex, by: 2)
            return .string(
                String(decoding: pairs.map { UInt16(units[$0]) << 8 | UInt16(units[$0 + 1]) }, as: UTF16.self)
            )
        case 0xA, 0xC: return .array(try references(count, at: start).map { try object($0) })
        case 0xD:
            let keys = try references(count, at: start)
            let values = try references(count, at: start + count * referenceSize)
            var entries: [String: PropertyList] = [:]
            for (key, value) in zip(keys, values) {
                guard let name = try object(key).string else { throw Self.malformed("a key is no string") }
                entries[name] = try object(value)
            }
            return .dictionary(entries)
        default: throw Self.malformed("unknown object kind \(kind)")
        }
    }

    /// Returns the number of elements and the offset of the first. The number is in the marker, or after it
    /// if the marker contains 15.
    private func countAndStart(_ low: Int, at offset: Int) throws -> (Int, Int) {
        guard low == 0x0F else { return (low, offset) }
        let marker = try byte(at: offset)
        guard marker >> 4 == 0x1 else { throw Self.malformed("a count is no integer") }
        let size = 1 << Int(marker & 0x0F)
        let count = try integer(at: offset + 1, size: size)
        guard count <= bytes.count else { throw Self.malformed("a count is too large") }
        return (count, offset + 1 + size)
    }

    private func references(_ count: Int, at start: Int) throws -> [Int] {
        _ = try slice(start, count * referenceSize)
        return try (0..<count).map { try integer(at: start + $0 * referenceSize, size: referenceSize) }
    }

    // MARK: Bytes

    private func byte(at offset: Int) throws -> UInt8 {
        guard bytes.indices.contains(offset) else { throw Self.malformed("it ends early") }
        return bytes[offset]
    }

    private func slice(_ start: Int, _ count: Int) throws -> ArraySlice<UInt8> {
        guard start <= bytes.count, count <= bytes.count - start else {
            throw Self.malformed("it ends early")
        }
        return bytes[start..<start + count]
    }

    private func integer(at offset: Int, size: Int) throws -> Int {
        guard let value = Self.integer(in: bytes, at: offset, size: size) else {
            throw Self.malformed("a number is too large or cut off")
        }
        return value
    }

    private static func integer(in bytes: [UInt8], at offset: Int, size: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count, size <= 8, size <= bytes.count - offset else { return nil }
        // A loop: closures over slices would take debug builds most of the time of reading a list.
        var value: UInt64 = 0
        for index in offset..<offset + size { value = value &<< 8 | UInt64(bytes[index]) }
        return Int(exactly: value)
    }

    /// Returns an integer. It is signed if it has eight bytes and unsigned if it has fewer; of sixteen bytes
    /// only the last eight are used.
    private func signedInteger(at offset: Int, size: Int) throws -> Int64 {
        guard size <= 16 else { throw Self.malformed("a number is too large") }
        return try slice(offset, size).suffix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }

    private func real(at offset: Int, size: Int) throws -> Double {
        let bits = UInt64(bitPattern: try signedInteger(at: offset, size: size))
        switch size {
        case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case 8: return Double(bitPattern: bits)
        default: throw Self.malformed("a real number has \(size) bytes")
        }
    }

    private static func malformed(_ detail: String) -> ModelFileError {
        ModelFileError("", .malformedPropertyList(detail))
    }
}
