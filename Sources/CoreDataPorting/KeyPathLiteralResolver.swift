#if Overlay
package import CoreDataCodegen
import CoreDataModelFormat

/// The resolution of a `#keyPath` by the declarations of the properties in it, in the module's sources, in
/// its models and in the modules that it depends on.
package struct KeyPathLiteralResolver {
    package enum Meaning: Sendable, Hashable {
        case path(KeyPathExpansion)
        case refused(String)
    }

    /// The property that a name stands for.
    private struct Property {
        var key: String
        var type: SwiftType?
    }

    private let resolver: TypeResolver
    private let library: ModuleLibrary

    /// - Parameter library: The modules, with the classes that are generated from the models.
    package init(_ library: ModuleLibrary) {
        self.library = library
        resolver = TypeResolver(library)
    }

    /// Returns the meaning of a key path.
    ///
    /// - Parameter path: The type around the `#keyPath`; empty if there is none.
    package func meaning(of names: [String], in path: [String], of file: String) -> Meaning {
        var rest = names[...]
        var owner: SwiftType
        if let enclosing = try? resolver.nominal(at: path, from: file),
            property(names[0], of: enclosing, file) != nil
        {
            owner = .nominal(enclosing, arguments: [])
        } else if let (type, count) = root(of: names, in: path, of: file) {
            owner = type
            rest = rest.dropFirst(count)
        } else {
            return unknownRoot(names, in: path)
        }
        var path = KeyPathExpansion()
        while let name = rest.popFirst() {
            guard let nominal = owner.element.declaration else {
                return .refused(
                    "'\(path.steps.last?.property ?? names[0])' is not of a known class, so '\(name)' cannot be checked"
                )
            }
            let spelling = nominal.spelling(in: library.target)
            guard let property = property(name, of: nominal, file) else {
                guard rest.isEmpty else {
                    return .refused("'\(spelling)' is not known to have a property '\(name)'")
                }
                path.append(name, of: spelling)
                return .path(path)
            }
            path.append(name, of: spelling, key: property.key)
            guard let type = property.type else {
                if rest.isEmpty { break }
                return .refused(
                    "the type of '\(name)' is not written out, so the rest of the path cannot be checked")
            }
            owner = type
        }
        return .path(path)
    }

    // MARK: The root

    /// Returns the type that the first names denote, and the number of these names. At least one name remains
    /// as a key.
    private func root(of names: [String], in path: [String], of file: String) -> (SwiftType, Int)? {
        if names[0] == "Self", let nominal = try? resolver.nominal(at: path, from: file) {
            return (.nominal(nominal, arguments: []), 1)
        }
        var found: (SwiftType, Int)?
        for count in 1..<max(names.count, 1) {
            let expression = TypeExpression.named(names.prefix(count).map { .init($0) })
            // A single name may be the name of the module, so longer prefixes are tried, too.
            if let type = try? resolver.resolve(expression, in: path, of: file) { found = (type, count) }
        }
        return found
    }

    /// Returns the meaning of a path whose root no known source declares. The compiler may know the type.
    private func unknownRoot(_ names: [String], in path: [String]) -> Meaning {
        let types = names.prefix { $0.first?.isUppercase == true }
        let keys = names.dropFirst(types.count)
        guard !types.isEmpty else {
            let owner = path.joined(separator: ".")
            guard names.count == 1, !owner.isEmpty else {
                return .refused("'\(names[0])' is neither a type nor a property that is known here")
            }
            return .path(KeyPathExpansion(unchecked: names[0], of: owner))
        }
        guard keys.count == 1 else {
            return .refused("the type '\(types.joined(separator: "."))' is not known")
        }
        return .path(KeyPathExpansion(unchecked: keys.joined(), of: types.joined(separator: ".")))
    }

    // MARK: Properties

    /// Returns a property of a type or of a type that it inherits from; nil if no known source or model
    /// declares it.
    private func property(_ name: String, of nominal: NominalType, _ file: String) -> Property? {
        var current: NominalType? = nominal
        var visited: Set<NominalType> = []
        while let owner = current, visited.insert(owner).inserted {
            if let found = declared(name, of: owner, file) ?? modelled(name, of: owner, file) { return found }
            current = superclass(of: owner, file)
        }
        return nil
    }

    private func declared(_ name: String, of owner: NominalType, _ file: String) -> Property? {
        guard let module = module(of: owner), let member = module.member(name, of: owner.path) else {
            return nil
        }
        let type = member.type.flatMap {
            try? resolver.resolve($0, in: owner.path, of: file, module: module)
        }
        let leadsOn = type?.isUntypedCollection == true ? destination(of: name, in: owner, file) : type
        return Property(key: member.runtimeName ?? member.name, type: leadsOn)
    }

    /// Returns a property of a class or extension that is generated from a model.
    private func modelled(_ name: String, of owner: NominalType, _ file: String) -> Property? {
        let isModelled = entities(of: owner).contains { _, entity in
            entity.codeGeneration != .manual
                && (entity.attributes.contains { $0.name == name }
                    || entity.fetchedProperties.contains { $0.name == name }
                    || entity.relationships.contains { $0.name == name })
        }
        return isModelled ? Property(key: name, type: destination(of: name, in: owner, file)) : nil
    }

    /// Returns the destination class of a relationship in the models.
    private func destination(of name: String, in owner: NominalType, _ file: String) -> SwiftType? {
        guard let module = module(of: owner) else { return nil }
        for (document, entity) in entities(of: owner) {
            guard let relationship = entity.relationships.first(where: { $0.name == name }) else { continue }
            let destination = document.className(ofEntity: relationship.destinationName, module: module.name)
            let path = destination.split(separator: ".").map(String.init)
            return (try? resolver.nominal(at: path, from: file, module: module))
                .map { .nominal($0, arguments: []) }
        }
        return nil
    }

    private func entities(of owner: NominalType) -> [(ModelDocument, EntityElement)] {
        module(of: owner)?.entities(of: owner.path) ?? []
    }

    private func superclass(of owner: NominalType, _ file: String) -> NominalType? {
        guard let module = module(of: owner) else { return nil }
        return module.declaration(at: owner.path, from: file)?.inherited.first
            .flatMap { try? resolver.resolve($0, in: owner.path, of: file, module: module) }?.declaration
    }

    private func module(of type: NominalType) -> ModuleIndex? {
        type.module == library.target.name ? library.target : try? library.dependency(type.module)
    }
}

extension SwiftType {
    /// The class or protocol that declares the type's properties.
    fileprivate var declaration: NominalType? {
        switch self {
        case .nominal(let nominal, _): nominal
        case .existential(let protocols, let superclass, _): superclass?.declaration ?? protocols.first
        case .parameter: nil
        }
    }

    /// Whether the type is a Foundation collection, whose members may be of any class.
    fileprivate var isUntypedCollection: Bool {
        guard case .nominal(let nominal, let arguments) = self else { return false }
        if nominal.module == "Swift", nominal.name == "Optional" {
            return arguments.last?.first?.isUntypedCollection == true
        }
        return ["NSSet", "NSOrderedSet", "NSArray"].contains(nominal.name)
    }

    /// The type in which a key path continues: the wrapped type of an optional, or the type of a collection's
    /// members.
    fileprivate var element: SwiftType {
        guard case .nominal(let nominal, let arguments) = self, nominal.module == "Swift",
            ["Optional", "Array", "Set"].contains(nominal.name), let inner = arguments.last?.first
        else { return self }
        return inner.element
    }
}
#endif
