import Foundation
import Synchronization

/// The methods and accessors that the Objective-C runtime finds by their selectors on Apple's systems, which
/// generated code registers here.
///
/// They are the `@objc` members of managed objects, migration policies and migration managers. Key-value
/// access calls accessors, `FUNCTION(…)` in mapping models and predicates calls methods.
@_documentation(visibility: internal)
public enum ExposedMethods {
    /// Calls a member of an object.
    ///
    /// A member of the main actor is called on the caller's thread, as an Objective-C message is.
    public typealias Implementation = @MainActor @Sendable (AnyObject, MessageArguments) throws -> Any?

    /// Registers a member under its selector: `name`, `setName:`, `fullNameOf:separator:`.
    public static func register(
        _ selector: String, of type: AnyClass, _ implementation: @escaping Implementation
    ) {
        let method = unsafeBitCast(implementation, to: Method.self)
        table.withLock { $0.methods[ObjectIdentifier(type), default: [:]][selector] = method }
    }

    /// An implementation without its actor, which does not affect how a function is called.
    typealias Method = @Sendable (AnyObject, MessageArguments) throws -> Any?

    /// Returns the method of a class or of what it inherits from.
    static func method(_ selector: String, of type: AnyClass) -> Method? {
        load(type)
        return table.withLock { table in
            for ancestor in lineage(type) {
                if let method = table.methods[ObjectIdentifier(ancestor)]?[selector] { return method }
            }
            return nil
        }
    }

    /// Returns the method by which key-value access reads a key, in the order of Apple's search: `getName`,
    /// `name`, `isName`.
    static func getter(of key: String, of type: AnyClass) -> Method? {
        let capitalized = capitalized(key)
        return method("get" + capitalized, of: type) ?? method(key, of: type)
            ?? method("is" + capitalized, of: type)
    }

    /// Returns the method by which key-value access writes a key.
    static func setter(of key: String, of type: AnyClass) -> Method? {
        method("set\(capitalized(key)):", of: type)
    }

    /// Returns the value of an accessor, which cannot throw as it has no arguments.
    static func value(of getter: Method, on object: AnyObject) -> Any? {
        do { return try getter(object, MessageArguments([])) } catch { return nil }
    }

    private static func capitalized(_ key: String) -> String { key.prefix(1).uppercased() + key.dropFirst() }

    /// Has the modules of a class and its ancestors register their members.
    private static func load(_ type: AnyClass) {
        guard !table.withLock({ $0.loaded.contains(ObjectIdentifier(type)) }) else { return }
        for ancestor in lineage(type) { ManagedClasses.load(moduleOf: ancestor) }
        table.withLock { _ = $0.loaded.insert(ObjectIdentifier(type)) }
    }

    private static func lineage(_ type: AnyClass) -> some Sequence<AnyClass> {
        sequence(first: type) { _getSuperclass($0) }
    }

    private struct Table {
        var methods: [ObjectIdentifier: [String: Method]] = [:]
        var loaded: Set<ObjectIdentifier> = []
    }

    private static let table = Mutex(Table())
}

/// The arguments of a member that is called by its selector, for generated code.
@_documentation(visibility: internal)
public struct MessageArguments {
    private let values: [Any?]

    init(_ values: [Any?]) { self.values = values }

    /// Returns an argument as a value of the parameter's type.
    ///
    /// Classes of Foundation and the Swift types to which they are bridged are converted into each other.
    ///
    /// - Throws: An error that names both types, if the argument is something else.
    public func value<Value>(_ index: Int) throws -> Value {
        let value = values[index]
        if let value = value as? Value { return value }
        if let value, let bridged = value as AnyObject as? Value { return bridged }
        throw UnacceptableArgument(
            given: value.map { "\(type(of: $0))" } ?? "nil", expected: "\(Value.self)")
    }
}

struct UnacceptableArgument: LocalizedError {
    let given: String
    let expected: String

    var errorDescription: String? { "Unacceptable type of argument: desired \(expected), given \(given)." }
}
