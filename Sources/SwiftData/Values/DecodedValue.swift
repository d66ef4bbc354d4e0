import CoreData

/// A value that was decoded from a composite attribute, and the bytes of which it was.
///
/// Decoding takes a hundred times as long as reading a number, and apps read one value again and again. As
/// long as the row has the same bytes, however it came by them, the value is the same.
class DecodedValue {
    fileprivate let property: ModelAccess.Property
    fileprivate let bytes: [UInt8]

    fileprivate init(_ property: ModelAccess.Property, _ bytes: [UInt8]) {
        self.property = property
        self.bytes = bytes
    }
}

private final class DecodedValueOf<Value>: DecodedValue {
    let value: Value

    init(_ value: Value, _ property: ModelAccess.Property, _ bytes: [UInt8]) {
        self.value = value
        super.init(property, bytes)
    }
}

extension ModelObject {
    /// Returns the value of a composite attribute, read and decoded by a block unless it is known;
    /// nil for none.
    func decodedValue<Value>(
        of property: ModelAccess.Property, decode: () throws -> Value
    ) rethrows -> Value? {
        try ManagedAccess.withBytes(ofComposite: property, of: self) { bytes in
            let index = decodedValues.firstIndex { $0.property === property }
            if let index, let known = decodedValues[index] as? DecodedValueOf<Value>,
                known.bytes.elementsEqual(bytes)
            {
                noteRead(property.name)
                return known.value
            }
            let copy = Array(bytes)
            let decoded = DecodedValueOf(try decode(), property, copy)
            if let index { decodedValues[index] = decoded } else { decodedValues.append(decoded) }
            return decoded.value
        }
    }
}
