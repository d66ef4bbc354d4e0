import CoreData

/// A reading of a key path on a model of placeholders, which shows the property that the key path leads to.
///
/// No table can have all key paths to a property: one that is spelled on a generic parameter or on a subclass
/// equals none that is spelled on the class.
struct KeyPathProbe: Sendable {
    /// The probe whose models are being read.
    @TaskLocal static var current: KeyPathProbe?

    /// Which placeholder is used for each attribute: the first or the second one.
    private let kind: Placeholder

    /// Has key paths of models and of raw values read, and captured values stored, from the first use on.
    static let install: Void = {
        KeyPathNames.read { keyPath in
            switch type(of: keyPath).rootType {
            case is DefaultHistoryTransaction.Type: DefaultHistoryTransaction.target(of: keyPath)
            case let model as any PersistentModel.Type: target(of: keyPath, on: model)
            case let raw as any (RawRepresentable & Codable).Type: target(of: keyPath, onRaw: raw)
            default: nil
            }
        }
        EntityFamilies.name { type in
            (type as? any PersistentModel.Type).map { ModelTypes.family(of: $0).map(Schema.entityName) }
        }
        StoredForms.use { value in (value as? any Codable).flatMap { try? StoredValue.object(of: $0) } }
    }()

    /// Returns where a key path of a type that is stored as its raw values leads: nowhere else if it leads to
    /// the raw value.
    private static func target<Value: RawRepresentable & Codable>(
        of keyPath: AnyKeyPath, onRaw type: Value.Type
    ) -> KeyPathNames.Target? {
        let values =
            EnumCases.all(of: type)
            ?? [Placeholder.first, .second].compactMap { try? PlaceholderDecoder.value(of: type, $0) }
        let isRawValue = values.allSatisfy { value in
            let found = (value as Any)[keyPath: keyPath].flatMap { $0 as? AnyHashable }
            return found == value.rawValue as? AnyHashable
        }
        if isRawValue, !values.isEmpty { return .property("") }
        return .other("\(keyPath) is computed: of \(type), only the raw value is stored")
    }

    /// Returns where a key path leads.
    ///
    /// A computed property that does no more than return a stored one, whatever its value, stands for it.
    private static func target<Model: PersistentModel>(
        of keyPath: AnyKeyPath, on type: Model.Type
    ) -> KeyPathNames.Target {
        let readings = [Placeholder.first, .second].map { KeyPathProbe(kind: $0).read(keyPath, on: type) }
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
        for attribute in Schema.attributes(of: type) {
            object.setPrimitiveValue(placeholder(of: attribute, in: object), forKey: attribute.name)
        }
        object.trackReads(true)
        return Model(_$backing: object)
    }

    /// Returns what an attribute holds for one of two values of its type, nil among them if it is optional.
    private func placeholder(of attribute: Schema.Attribute, in object: ModelObject) -> Any? {
        let type = ValueType(attribute.valueType)
        if kind == .second, type.isOptional { return nil }
        func stored<Value: Codable>(_ type: Value.Type) -> Any? {
            guard let value = try? PlaceholderDecoder.value(of: type, kind) else { return nil }
            return try? object.entity.attributesByName[attribute.name]?.stored(value)
        }
        return (type.wrapped as? any Codable.Type).flatMap { stored($0) }
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
        let stored = content.flatMap { $0 as? any Codable }.flatMap { content in
            entity.attributesByName[key].flatMap { try? $0.stored(content) }
        }
        return Self.areEqual(stored, primitiveValue(forKey: key))
    }

    private static func areEqual(_ left: Any?, _ right: Any?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left as [String: Any], let right as [String: Any]):
            Set(left.keys).union(right.keys).allSatisfy { areEqual(left[$0], right[$0]) }
        default: left as? AnyHashable == right as? AnyHashable && left != nil
        }
    }
}
