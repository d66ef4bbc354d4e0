import Foundation
import Synchronization

/// The classes, key paths, validation methods, policies and transformers that generated code registers, by
/// module.
///
/// A key path to a computed property does not carry its name, and a bare class name cannot be looked up at
/// run time.
@_documentation(visibility: internal)
public enum ManagedClasses {
    /// Registers a class of a module under its name.
    public static func register(_ name: String, _ type: NSManagedObject.Type, module: String) {
        table.withLock { $0.classes[name, default: []].append((module, type)) }
    }

    /// Registers the name of a property for a key path to it.
    public static func register(keyPath: AnyKeyPath, name: String) {
        let keyPath = SharedKeyPath(keyPath)
        table.withLock { $0.names[keyPath] = name }
    }

    /// Returns the class registered under a name, `Module.Class` or bare.
    ///
    /// If several modules have a bare name, the first in `modules` that has it counts.
    static func type(named name: String, modules: [String]) -> NSManagedObject.Type? {
        let dot = name.firstIndex(of: ".")
        for module in modules + (dot.map { [String(name[..<$0])] } ?? []) { load(module) }
        return table.withLock { table in
            if let entries = table.classes[name] {
                for module in modules {
                    if let entry = entries.last(where: { $0.module == module }) { return entry.type }
                }
                return entries.last?.type
            }
            guard let dot else { return nil }
            let bareName = String(name[name.index(after: dot)...])
            return table.classes[bareName]?.last { $0.module == name[..<dot] }?.type
        }
    }

    /// Returns the name registered for a key path.
    static func name(of keyPath: AnyKeyPath) -> String? {
        load(moduleOf: Swift.type(of: keyPath).rootType)
        let keyPath = SharedKeyPath(keyPath)
        return table.withLock { $0.names[keyPath] }
    }

    /// All key paths registered so far, with their names.
    static var namesOfKeyPaths: [(AnyKeyPath, String)] {
        table.withLock { $0.names.map { ($0.key.keyPath, $0.value) } }
    }

    /// Returns the key path registered for a property of exactly this class.
    static func keyPath(to name: String, of root: NSManagedObject.Type) -> AnyKeyPath? {
        load(moduleOf: root)
        return table.withLock { table in
            table.names.first { $0.value == name && Swift.type(of: $0.key.keyPath).rootType == root }?.key
                .keyPath
        }
    }

    static func load(moduleOf type: Any.Type) { load(String(_typeName(type).prefix { $0 != "." })) }

    /// Has a module register the contents of its generated file, once.
    ///
    /// Other threads wait meanwhile, since an incomplete table would give wrong answers.
    private static func load(_ module: String) {
        func isLoaded() -> Bool { table.withLock { $0.loadedModules.contains(module) } }
        guard !isLoaded() else { return }
        loading.withLock {
            guard !isLoaded() else { return }
            moduleTable(of: module)?.register()
            table.withLock { _ = $0.loadedModules.insert(module) }
        }
    }

    /// Returns whether a module to which the plugin is applied is part of the program.
    static func isLinked(_ module: String) -> Bool { moduleTable(of: module) != nil }

    private static func moduleTable(of module: String) -> (any ManagedModule.Type)? {
        _typeByName("\(module).ManagedModuleTable") as? any ManagedModule.Type
    }

    private static let loading = NSRecursiveLock()

    private struct Table {
        var classes: [String: [(module: String, type: NSManagedObject.Type)]] = [:]
        var names: [SharedKeyPath: String] = [:]
        var loadedModules: Set<String> = []
    }

    private static let table = Mutex(Table())

    /// A key path as a key of a dictionary; a key path to a property never changes.
    private struct SharedKeyPath: Hashable, @unchecked Sendable {
        let keyPath: AnyKeyPath

        init(_ keyPath: AnyKeyPath) {
            self.keyPath = keyPath
        }
    }
}

/// The table of one module: generated code declares a class `ManagedModuleTable` that conforms to it.
///
/// The framework finds it by that name when it first needs a class or a key path of the module.
@_documentation(visibility: internal)
public protocol ManagedModule {
    /// Calls `ManagedClasses.register` for every class and key path; generated.
    static func register()
}

extension ManagedClasses {
    /// A `validateX` method of a class, which cannot be found by its name at run time.
    public typealias PropertyValidator =
        @Sendable (NSManagedObject, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void

    private static let validators = Mutex<[ObjectIdentifier: [String: PropertyValidator]]>([:])
    private static let hasValidators = Atomic(false)

    /// Registers a class's `validateX` method for the property `x`.
    public static func register(
        validatorFor key: String, of type: NSManagedObject.Type, _ validator: @escaping PropertyValidator
    ) {
        validators.withLock { $0[ObjectIdentifier(type), default: [:]][key] = validator }
        hasValidators.store(true, ordering: .releasing)
    }

    /// Whether any class has a validation method of its own.
    static var haveValidators: Bool { hasValidators.load(ordering: .acquiring) }

    /// Returns the properties for which a class or one of its superclasses has a validation method of its
    /// own.
    static func validatedKeys(of type: NSManagedObject.Type) -> [String] {
        guard haveValidators else { return [] }
        return validators.withLock { table in
            lineage(type).flatMap { table[ObjectIdentifier($0)].map { Array($0.keys) } ?? [] }
        }
    }

    static func runValidator(
        for key: String, on object: NSManagedObject, _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>
    ) throws {
        guard haveValidators else { return }
        let validator = validators.withLock { table -> PropertyValidator? in
            for type in lineage(Swift.type(of: object)) {
                if let validator = table[ObjectIdentifier(type)]?[key] { return validator }
            }
            return nil
        }
        try validator?(object, value)
    }

    private static func lineage(_ type: NSManagedObject.Type) -> [AnyClass] {
        Array(sequence(first: type as AnyClass) { _getSuperclass($0) }.prefix { $0 != NSManagedObject.self })
    }
}

extension ManagedClasses {
    /// Returns the class with a name as in models and mapping models, `Class` or `Module.Class`; called by
    /// generated code.
    ///
    /// `NSClassFromString` means this function in modules to which the plugin is applied; Foundation's
    /// function finds no class without its module.
    ///
    /// - Parameter module: The module of the calling code.
    public static func classNamed(_ name: String, in module: String) -> AnyClass? {
        let finder = ClassFinder(module: module)
        return finder.find(name) ?? finder.find(name, as: AnyClass.self) ?? NSClassFromString(name)
    }
}

extension ManagedClasses {
    /// Registers a migration policy under its name in `@objc(Name)`.
    public static func register(policy name: String, _ type: NSEntityMigrationPolicy.Type) {
        ClassNames.note(type, under: name)
    }
}

extension ManagedClasses {
    private typealias TransformerFactory = (module: String, make: @Sendable () -> ValueTransformer)

    private static let transformers = Mutex<[String: [TransformerFactory]]>([:])

    /// Registers a value transformer under the name of its class, which models may use.
    public static func register(
        transformer name: String, module: String, make: @escaping @Sendable () -> ValueTransformer
    ) {
        transformers.withLock { $0[name, default: []].append((module, make)) }
    }

    /// Returns an instance of the transformer class with a name, `Module.Class` or bare.
    static func transformer(named name: String) -> ValueTransformer? {
        let dot = name.firstIndex(of: ".")
        if let dot { load(String(name[..<dot])) }
        let factory = transformers.withLock { table -> TransformerFactory? in
            if let bare = table[name]?.last { return bare }
            guard let dot else { return nil }
            return table[String(name[name.index(after: dot)...])]?.last { $0.module == name[..<dot] }
        }
        return factory?.make()
    }
}
