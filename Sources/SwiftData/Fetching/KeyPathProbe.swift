import CoreData

/// A reading of a key path on a model of placeholders, which shows the property that the key path leads to.
///
/// No table can have all key paths to a property: one that is spelled on a generic parameter or on a subclass
/// equals none that is spelled on the class.
struct KeyPathProbe: Sendable {
    /// The probe whose models are being read.
    @TaskLocal static var current: KeyPathProbe?

    /// Whether the second one of two different placeholders is used for each attribute.
    private let isSecond: Bool

    /// Has key paths of models read, from the first use on.
    static let install: Void = KeyPathNames.read { keyPath in
        let root = type(of: keyPath).rootType
        if root == DefaultHistoryTransaction.self { return DefaultHistoryTransaction.target(of: keyPath) }
        return (root as? any PersistentModel.Type).map { target(of: keyPath, on: $0) }
    }

    /// Returns where a key path leads.
    ///
    /// A computed property that does no more than return a stored one, whatever its value, stands for it.
    private static func target<Model: PersistentModel>(
        of keyPath: AnyKeyPath, on type: Model.Type
    ) -> KeyPathNames.Target {
        let readings = [false, true].map { KeyPathProbe(isSecond: $0).read(keyPath, on: type) }
        if let path = readings[0].path, path == readings[1].path { return .property(path) }
        var names: [String] = []
        for name in readings.flatMap(\.names) where !names.contains(name) { names.append(name) }
        let sources = names.formatted(.list(type: .and))
        let origin = names.isEmpty ? "no stored property" : "computed of \(sources)"
        return .other("\(keyPath) is \(origin) of \(type): only what is stored can be asked for")
    }

    /// What a getter asked for.
    private struct Reading {
        /// The names of all properties that were read.
        let names: [String]
        /// The path to the property whose value is the result; nil if the result is another.
        let path: String?
    }

    private func read<Model: PersistentModel>(_ keyPath: AnyKeyPath, on type: Model.Type) -> Reading {
        let model = makeModel(type)
        var value: Any?
        let reads = Self.$current.withValue(self) {
            ReadRecorder.reads { value = (model as Any)[keyPath: keyPath] }
        }
        let names = reads.map(\.key)
        var object: ModelObject? = model.backing
        for (index, read) in reads.enumerated() {
            guard let holder = object, ObjectIdentifier(holder) == read.object else { break }
            let destination = holder.destinations?[read.key]?.first
            if index == reads.count - 1, holder.has(value, at: read.key, or: destination) {
                return Reading(names: names, path: names.joined(separator: "."))
            }
            object = destination?._$backing
        }
        return Reading(names: names, path: nil)
    }

    /// Returns a model with placeholders for all attributes; destinations are made when they are read.
    func makeModel<Model: PersistentModel>(_ type: Model.Type) -> Model {
        let object = Model._$template.makeObject()
        for attribute in Schema.Entity(of: type).attributes {
            let value = StoredType(of: attribute.valueType)?.placeholder(
                isSecond: isSecond, for: ValueType(attribute.valueType))
            object.setPrimitiveValue(value, forKey: attribute.name)
        }
        object.trackReads(true)
        return Model(_$backing: object)
    }
}

extension ModelObject {
    /// Returns whether a value is that of a property, which has a destination if it is a relationship.
    fileprivate func has(_ value: Any?, at key: String, or destination: (any PersistentModel)?) -> Bool {
        let content = value.flatMap { ($0 as? any OptionalType).map(\.content) ?? $0 }
        if let destination {
            let found = (content as? [any PersistentModel])?.first ?? content as? any PersistentModel
            return found.map { $0 === destination } ?? false
        }
        let stored = primitiveValue(forKey: key) as? AnyHashable
        let boxed = content.flatMap { content in
            StoredType(of: Swift.type(of: content)).flatMap { $0.boxed(content) }
        }
        return boxed as? AnyHashable == stored
    }
}

extension StoredType {
    /// Returns one of two values that attributes of a type may have, nil among them if it is optional.
    ///
    /// A getter that changes what it reads, say cuts spaces or negative numbers off, changes one of them.
    fileprivate func placeholder(isSecond: Bool, for type: ValueType) -> Any? {
        if isSecond, type.isOptional { return nil }
        let isSigned = (type.wrapped as? any FixedWidthInteger.Type)?.isSigned ?? true
        return switch attributeType {
        case .stringAttributeType: isSecond ? "" : " Ab "
        case .booleanAttributeType: NSNumber(value: isSecond)
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: isSecond ? 1.25 : -1e9)
        case .binaryDataAttributeType: isSecond ? Data() : Data([0, 1])
        case .UUIDAttributeType: UUID(uuid: (isSecond ? 1 : 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        case .URIAttributeType: URL(string: isSecond ? "a:b" : "http://a/B?c#d")
        case .decimalAttributeType: NSDecimalNumber(decimal: isSecond ? 1.25 : -2)
        case .doubleAttributeType, .floatAttributeType: NSNumber(value: isSecond ? 1.25 : -2)
        default: NSNumber(value: isSecond ? 2 : isSigned ? -1 : 1)
        }
    }
}
