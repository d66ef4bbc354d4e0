/// The cases of enumerations without associated values, which the language lists for few of them.
enum EnumCases {
    /// Returns all values of a type in the order of their declaration; nil unless it is an enumeration whose
    /// cases have no associated values.
    ///
    /// The compiler numbers such cases from 0 on, and a value is its number in as many bytes as it takes.
    static func all<Value>(of type: Value.Type) -> [Value]? {
        guard isEnumeration(type), MemoryLayout<Value>.size <= 4 else { return nil }
        let metadata = unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
        let descriptor = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
        let casesWithValues = descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
        let count = descriptor.load(fromByteOffset: 24, as: UInt32.self)
        guard casesWithValues == 0, count > 0 else { return nil }
        return (0..<count).map { number in
            withUnsafeBytes(of: number.littleEndian) {
                $0.baseAddress!.assumingMemoryBound(to: Value.self).pointee
            }
        }
    }

    /// Returns whether a type is an enumeration whose cases have no associated values.
    static func areCases<Value>(of type: Value.Type) -> Bool { all(of: type) != nil }

    /// Returns the name of a value's case; nil for a value of another type than an enumeration.
    static func name<Value>(of value: Value) -> String? {
        isEnumeration(Value.self) ? caseName(value).map { String(cString: $0) } : nil
    }

    /// Returns the name of the case of a value whose type is known only when the program runs.
    static func name(ofAny value: Any) -> String? {
        func name<Value>(_ value: Value) -> String? { Self.name(of: value) }
        return _openExistential(value, do: name)
    }

    /// Whether a type is an enumeration: the first word of its metadata says so.
    private static func isEnumeration(_ type: Any.Type) -> Bool {
        unsafeBitCast(type, to: UnsafeRawPointer.self).load(as: Int.self) == 0x201
    }
}

/// Returns the name of a case as the Swift runtime has it, which `print` shows unless the type describes
/// itself.
@_silgen_name("swift_EnumCaseName")
private func caseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
