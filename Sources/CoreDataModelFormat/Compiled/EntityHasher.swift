import CoreDataValues
package import Foundation

/// The hasher of entities, each after its parent (version-hash §2). It ignores cycles in the inheritance,
/// which the model of a store cannot have.
struct EntityHasher {
    private let entities: [String: EntityElement]
    private let composites: [CompositeElement]
    private var finished: [String: Data] = [:]
    private var unfinished: Set<String> = []

    init(_ document: ModelDocument) {
        entities = Dictionary(
            document.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        composites = document.composites
    }

    mutating func hash(of entity: EntityElement) -> Data {
        if let hash = finished[entity.name] { return hash }
        unfinished.insert(entity.name)
        defer { unfinished.remove(entity.name) }
        var input = HashInput(entity.name, UInt8(entity.isAbstract ? 1 : 0))
        if let parent = parent(of: entity) { input.append(hash(of: parent)) }
        let properties = propertyHashes(of: entity).sorted(byCodePointsOf: \.key)
        for (_, hash) in properties { input.append(hash) }
        input.append(entity.versionHashModifier)
        let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }
        for text in constraints.sorted(byCodePointsOf: \.self) { input.append(text) }
        let hash = input.hash
        finished[entity.name] = hash
        return hash
    }

    private func parent(of entity: EntityElement) -> EntityElement? {
        guard let parent = entity.parentName.flatMap({ entities[$0] }), !unfinished.contains(parent.name)
        else {
            return nil
        }
        return parent
    }

    /// Returns the hashes of all persistent properties by name (version-hash §1), including inherited ones.
    private mutating func propertyHashes(of entity: EntityElement) -> [String: Data] {
        var hashes: [String: Data] = [:]
        var level: EntityElement? = entity
        var visited: Set<String> = []
        while let current = level, visited.insert(current.name).inserted {
            for attribute in current.attributes where !attribute.isTransient {
                hashes[attribute.name] = attribute.versionHash(in: composites)
            }
            for relationship in current.relationships where !relationship.isTransient {
                hashes[relationship.name] = relationship.versionHash(in: current.name)
            }
            level = current.parentName.flatMap { entities[$0] }
        }
        return hashes
    }
}

extension AttributeElement {
    /// Returns the hash of an attribute (version-hash §1).
    ///
    /// For a derived attribute, only the printed form of its expression is hashed. For a composite, of which
    /// no sample exists, the hashes of the elements, sorted by name, follow the type; the rest is as for
    /// other attributes.
    package func versionHash(in composites: [CompositeElement]) -> Data {
        if let derivationExpression {
            return SHA2.sha256(Data(DerivationExpression.hashedText(derivationExpression).utf8))
        }
        var input = HashInput(base(name, isOptional, versionHashModifier))
        input.append(Int32(type.rawValue))
        if type == .composite, let composite = composites.first(where: { $0.name == compositeName }) {
            // A composite that contains itself, which no model can have, is left out.
            let others = composites.filter { $0.name != composite.name }
            for element in composite.attributes.sorted(byCodePointsOf: \.name) {
                input.append(element.versionHash(in: others))
            }
        }
        if allowsExternalStorage { input.append(1 as UInt8) }
        if preservesValueOnDeletion { input.append(1 as UInt8) }
        return input.hash
    }
}

extension RelationshipElement {
    /// Returns the hash of a relationship (version-hash §1).
    ///
    /// A relationship that is its own inverse is hashed like one without an inverse.
    ///
    /// - Parameter owner: The name of the entity that declares the relationship.
    package func versionHash(in owner: String) -> Data {
        var input = HashInput(base(name, isOptional, versionHashModifier))
        input.append(destinationName)
        if !(inverseName == name && destinationName == owner) { input.append(inverseName) }
        input.append(Int32(truncatingIfNeeded: maximumCount))
        input.append(Int32(truncatingIfNeeded: minimumCount))
        if isOrdered {
            input.append(1 as UInt8)
            input.append(0 as UInt8)
        }
        return input.hash
    }
}

/// Returns the bytes with which the hashed data of every property begins (version-hash §1). The second byte,
/// read-only, is 0 for all properties that a store can have.
private func base(_ name: String, _ isOptional: Bool, _ modifier: String?) -> Data {
    var input = HashInput(name, UInt8(isOptional ? 1 : 0))
    input.append(0 as UInt8)
    input.append(modifier)
    return input.hash
}

/// The bytes to hash, concatenated without separators.
private struct HashInput {
    private var bytes: [UInt8]

    init(_ data: Data) { bytes = Array(data) }

    init(_ name: String, _ flag: UInt8) {
        bytes = Array(name.utf8)
        bytes.append(flag)
    }

    mutating func append(_ text: String?) {
        if let text { bytes += text.utf8 }
    }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }
    mutating func append(_ data: Data) { bytes += data }

    /// Appends a number as four bytes, little-endian.
    mutating func append(_ number: Int32) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    var hash: Data { SHA2.sha256(bytes) }
}
