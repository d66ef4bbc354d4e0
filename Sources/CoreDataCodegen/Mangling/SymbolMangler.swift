/// The mangler that makes the linker symbols of accessors and methods, in Swift's stable mangling.
///
/// A wrong symbol cannot cause wrong behaviour, because the program does not link.
package struct SymbolMangler {
    /// An accessor of a property's storage.
    package enum Accessor: String {
        case getter = "g"
        case setter = "s"
    }

    private enum Key: Hashable {
        case nominal(NominalType)
        case type(SwiftType)
    }

    private var buffer = ManglingBuffer()
    private var substitutions: [Key: Int] = [:]

    private init() {}

    package static func symbol(of accessor: Accessor, for property: PropertySignature) -> String {
        var mangler = SymbolMangler()
        mangler.append(property.owner, extendedIn: property.extendingModule)
        mangler.append(name: property.name, discriminator: property.discriminator)
        mangler.append(property.type)
        mangler.buffer.append("v" + accessor.rawValue)
        return mangler.buffer.text
    }

    package static func symbol(for method: MethodSignature) -> String {
        var mangler = SymbolMangler()
        mangler.append(method.owner, extendedIn: method.extendingModule)
        mangler.append(name: method.name, discriminator: method.discriminator)
        mangler.append(labels: method.parameters.map(\.label))
        if let result = method.result { mangler.append(result) } else { mangler.buffer.append("y") }
        mangler.append(parameters: method.parameters)
        mangler.buffer.append("F")
        return mangler.buffer.text
    }

    // MARK: Declarations

    private mutating func append(_ owner: NominalType, extendedIn module: String?) {
        append(owner)
        guard let module else { return }
        buffer.append(identifier: module)
        buffer.append("E")
    }

    private mutating func append(name: String, discriminator: String?) {
        buffer.append(identifier: name)
        guard let discriminator else { return }
        buffer.append(identifier: discriminator)
        buffer.append("LL")
    }

    private mutating func append(labels: [String?]) {
        guard !labels.isEmpty else { return }
        guard labels.contains(where: { $0 != nil }) else {
            buffer.append("y")
            return
        }
        for label in labels {
            if let label { buffer.append(identifier: label) } else { buffer.append("_") }
        }
    }

    /// Appends the parameters: a single parameter without a label as its type alone, all others as a tuple.
    private mutating func append(parameters: [MethodSignature.Parameter]) {
        guard let first = parameters.first else { return buffer.append("y") }
        if parameters.count == 1, first.label == nil { return append(first.type) }
        for (index, parameter) in parameters.enumerated() {
            append(parameter.type)
            if index == 0 { buffer.append("_") }
        }
        buffer.append("t")
    }

    // MARK: Types

    private mutating func append(_ type: SwiftType) {
        switch type {
        case .nominal(let nominal, let arguments):
            if type.isGeneric { append(nominal, bound: arguments, as: type) } else { append(nominal) }
        case .existential(let protocols, let superclass, let isClassBound):
            append(protocols: protocols, superclass: superclass, isClassBound: isClassBound)
        case .parameter(_, let depth, let index):
            append(parameter: index, depth: depth)
        }
    }

    private mutating func append(_ nominal: NominalType, bound arguments: [[SwiftType]], as type: SwiftType) {
        if appendSubstitution(.type(type)) { return }
        if nominal == .swift("Optional", .enumeration), let wrapped = arguments.last?.first {
            append(wrapped)
            buffer.append("Sg")
        } else {
            append(nominal)
            for (level, list) in arguments.enumerated() {
                buffer.append(level == 0 ? "y" : "_")
                for argument in list { append(argument) }
            }
            buffer.append("G")
        }
        substitutions[.type(type)] = buffer.nextSubstitution()
    }

    private mutating func append(_ nominal: NominalType) {
        if nominal.module == "Swift", nominal.steps.count == 1,
            let letter = StandardLetters.types[nominal.name]
        {
            buffer.append(standard: letter)
            return
        }
        if appendSubstitution(.nominal(nominal)) { return }
        appendDeclaration(nominal)
        buffer.append(nominal.steps[nominal.steps.count - 1].kind.rawValue)
        substitutions[.nominal(nominal)] = buffer.nextSubstitution()
    }

    private mutating func appendDeclaration(_ nominal: NominalType) {
        let step = nominal.steps[nominal.steps.count - 1]
        if let parent = nominal.parent {
            append(parent, extendedIn: step.extendingModule)
        } else if nominal.module == "Swift" {
            buffer.append("s")
        } else {
            buffer.append(identifier: nominal.module)
        }
        append(name: step.name, discriminator: step.discriminator)
    }

    /// Appends an existential. The existential and its protocols are written out each time, and the protocols
    /// have no kind letter.
    private mutating func append(protocols: [NominalType], superclass: SwiftType?, isClassBound: Bool) {
        if protocols.isEmpty { buffer.append("y") }
        for (index, declaration) in protocols.enumerated() {
            if declaration.module == "Swift", let letter = StandardLetters.protocols[declaration.name] {
                buffer.append(standard: letter)
            } else {
                appendDeclaration(declaration)
            }
            if index == 0 { buffer.append("_") }
        }
        if let superclass {
            append(superclass)
            buffer.append("Xc")
        } else {
            buffer.append(isClassBound ? "Xl" : "p")
        }
    }

    private mutating func append(parameter index: Int, depth: Int) {
        if depth > 0 {
            buffer.append("qd")
            buffer.append(index: depth - 1)
            buffer.append(index: index)
        } else if index == 0 {
            buffer.append("x")
        } else {
            buffer.append("q")
            buffer.append(index: index - 1)
        }
    }

    private mutating func appendSubstitution(_ key: Key) -> Bool {
        guard let index = substitutions[key] else { return false }
        buffer.append(substitution: index)
        return true
    }
}

/// Letters that stand for types and protocols of the standard library.
private enum StandardLetters {
    static let types: [String: Character] = [
        "Array": "a", "Bool": "b", "Dictionary": "D", "Double": "d", "Float": "f", "Set": "h",
        "DefaultIndices": "I", "Int": "i", "Character": "J", "ClosedRange": "N", "Range": "n",
        "ObjectIdentifier": "O", "UnsafePointer": "P", "UnsafeMutablePointer": "p", "Optional": "q",
        "UnsafeBufferPointer": "R", "UnsafeMutableBufferPointer": "r", "String": "S", "Substring": "s",
        "UInt": "u", "UnsafeRawPointer": "V", "UnsafeMutableRawPointer": "v", "UnsafeRawBufferPointer": "W",
        "UnsafeMutableRawBufferPointer": "w",
    ]

    static let protocols: [String: Character] = [
        "BinaryFloatingPoint": "B", "Encodable": "E", "Decodable": "e", "FloatingPoint": "F",
        "RandomNumberGenerator": "G", "Hashable": "H", "Numeric": "j", "BidirectionalCollection": "K",
        "RandomAccessCollection": "k", "Comparable": "L", "Collection": "l", "MutableCollection": "M",
        "RangeReplaceableCollection": "m", "Equatable": "Q", "Sequence": "T", "IteratorProtocol": "t",
        "UnsignedInteger": "U", "RangeExpression": "X", "Strideable": "x", "RawRepresentable": "Y",
        "StringProtocol": "y", "SignedInteger": "Z", "BinaryInteger": "z",
    ]
}
