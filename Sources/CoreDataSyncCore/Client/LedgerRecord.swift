/// A part of a ledger that is written as bytes of its own.
package protocol LedgerRecord {
    var wire: WireValue { get }
    init(wire: WireValue) throws(WireError)
}

extension LedgerRecord {
    package var bytes: [UInt8] { CBORWriter.bytes(of: wire) }

    /// Reads bytes that this device has written, however many they are.
    ///
    /// - Throws: `WireError` if they are damaged, or a later version has written them.
    package init(bytes: [UInt8]) throws(WireError) {
        let limits = WireLimits(bytes: .max, depth: 32, values: .max, text: .max)
        try self.init(wire: try CBORReader.read(bytes, limits: limits))
    }
}

/// Several records as one.
extension Array: LedgerRecord where Element: LedgerRecord {
    package var wire: WireValue { .array(map(\.wire)) }

    package init(wire: WireValue) throws(WireError) {
        self = try wire.list { value throws(WireError) in try Element(wire: value) }
    }
}

extension ItemKey: LedgerRecord {}
extension LostValue: LedgerRecord {}
