package import Foundation
internal import CoreDataValues

/// A 128-bit ID of an object or a replica, the same on all devices.
package struct SyncID: Hashable, Comparable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package static func < (first: SyncID, second: SyncID) -> Bool {
        first.high != second.high ? first.high < second.high : first.low < second.low
    }

    /// Makes a random ID that begins with the time (UUID version 7), so that objects made one after the other
    /// lie side by side in an index.
    package init(milliseconds: UInt64, random: inout some RandomNumberGenerator) {
        let bits = random.next()
        high = (milliseconds & 0xFFFF_FFFF_FFFF) << 16 | 0x7000 | bits & 0xFFF
        low = 1 << 63 | random.next() >> 2
    }

    /// Makes a random ID (UUID version 4), which no ID that is made from values looks like: parts of counters are told
    /// apart by that.
    package init(random: inout some RandomNumberGenerator) {
        high = random.next() & ~0xF000 | 0x4000
        low = random.next()
    }

    /// Makes the ID of an object that is known by values of its own (UUID version 8): equal for equal values,
    /// on whatever device the object is made.
    package init(entity: String, identity: [SyncValue]) {
        var bytes = CanonicalBytes()
        bytes.append(.string(entity))
        for value in identity { bytes.append(value) }
        let digest = [UInt8](SHA2.sha256(bytes.bytes))
        let words = (SyncID(bytes: digest[0..<16]))
        high = words.high & ~0xF000 | 0x8000
        low = words.low & ~(3 << 62) | 1 << 63
    }

    /// Whether the ID was made from values.
    var isDerived: Bool { high & 0xF000 == 0x8000 }

    /// Makes the ID from 16 bytes, the highest first.
    package init(bytes: some Collection<UInt8>) {
        precondition(bytes.count == 16)
        var (high, low) = (UInt64(0), UInt64(0))
        for byte in bytes { (high, low) = (high << 8 | low >> 56, low << 8 | UInt64(byte)) }
        (self.high, self.low) = (high, low)
    }

    package var bytes: [UInt8] { withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) } }

    static func bytes(of word: UInt64) -> [UInt8] { withUnsafeBytes(of: word.bigEndian) { Array($0) } }

    package init(_ uuid: UUID) {
        self.init(bytes: withUnsafeBytes(of: uuid.uuid) { Array($0) })
    }

    package var uuid: UUID {
        let bytes = bytes
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8],
                bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}

extension SyncID: CustomStringConvertible {
    package var description: String { uuid.uuidString }
}

/// The ID of a copy of the data that writes: a device, or a server.
package typealias ReplicaID = SyncID
