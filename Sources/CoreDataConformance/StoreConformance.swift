import CoreData
public import Foundation

/// The behaviour that every store has to have, as checks that any test framework can run: over the
/// framework's own stores, and over one of an app's own class.
///
/// ```swift
/// @Test(arguments: StoreConformance("JSONLines", capabilities: [.persistence]).checks)
/// func conforms(_ check: StoreConformance.Check) throws { try check.run() }
/// ```
public struct StoreConformance: Sendable {
    /// The abilities that not every store has; a check that needs more than a store has is left out.
    public struct Capabilities: OptionSet, Sendable {
        /// The bits of the set.
        public let rawValue: Int
        /// Makes a set of bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Objects are still there when the store is opened again.
        public static let persistence = Capabilities(rawValue: 1 << 0)
        /// A save notices rows that other contexts have changed since they were read.
        public static let optimisticLocking = Capabilities(rawValue: 1 << 1)
        /// Uniqueness constraints are enforced.
        public static let uniqueness = Capabilities(rawValue: 1 << 2)
        /// Batch requests are executed.
        public static let batches = Capabilities(rawValue: 1 << 3)
        /// Persistent history is recorded.
        public static let history = Capabilities(rawValue: 1 << 4)
        /// Contexts can be pinned to query generations.
        public static let generations = Capabilities(rawValue: 1 << 5)
        /// Derived attributes are computed.
        public static let derivation = Capabilities(rawValue: 1 << 6)
        /// Predicates may use closures, transient attributes and transformable attributes.
        public static let objectPredicates = Capabilities(rawValue: 1 << 7)
        /// Metadata that an app adds is still there when the store is opened again.
        public static let metadata = Capabilities(rawValue: 1 << 8)
        /// Dictionary results may have aggregates and groups.
        public static let totals = Capabilities(rawValue: 1 << 9)
        /// Decimal numbers keep all their digits; in SQLite stores they keep those of a floating-point
        /// number.
        public static let longDecimals = Capabilities(rawValue: 1 << 10)
    }

    /// One behaviour that a store has to have.
    public struct Check: Sendable, CustomStringConvertible {
        /// The behaviour of the store if the check passes.
        public let name: String
        let conformance: StoreConformance
        let body: @Sendable (Stage) throws -> Void

        /// The name.
        public var description: String { name }

        /// Runs the check over a new store, which is removed afterwards.
        ///
        /// - Throws: A `ConformanceFailure`, or the error that the store threw.
        public func run() throws {
            let stage = try Stage(conformance)
            defer { stage.clear() }
            try stage.context.performAndWait { try body(stage) }
        }
    }

    let storeType: String
    let capabilities: Capabilities
    let place: (@Sendable (_ name: String) throws -> URL)?
    let options: @Sendable () -> [AnyHashable: Any]

    /// Makes the checks for a type of store.
    ///
    /// - Parameters:
    ///   - storeType: The type, as registered with the coordinator.
    ///   - capabilities: The abilities of the store.
    ///   - place: Returns the URL of a new store, given a name that no other check has; nil for files, which
    ///     lie in a temporary folder.
    ///   - options: The options to add the store with; called for each opening.
    public init(
        _ storeType: String, capabilities: Capabilities,
        place: (@Sendable (_ name: String) throws -> URL)? = nil,
        options: @escaping @Sendable () -> [AnyHashable: Any] = { [:] }
    ) {
        self.storeType = storeType
        self.capabilities = capabilities
        self.place = place
        self.options = options
    }

    /// The checks of all that the store can do.
    public var checks: [Check] {
        Self.all.filter { capabilities.isSuperset(of: $0.needs) }.map {
            Check(name: $0.name, conformance: self, body: $0.body)
        }
    }

    /// Makes the model of the stores that are checked.
    func model() -> NSManagedObjectModel { SampleModel.make(derives: capabilities.contains(.derivation)) }

    struct Rule: Sendable {
        let name: String
        var needs: Capabilities = []
        let body: @Sendable (Stage) throws -> Void

        init(_ name: String, needs: Capabilities = [], _ body: @escaping @Sendable (Stage) throws -> Void) {
            self.name = name
            self.needs = needs
            self.body = body
        }
    }

    private static let all: [Rule] =
        values + relationships + fetching + questions + saving + reopening + abilities
}

/// The error of a check that fails.
public struct ConformanceFailure: Error, CustomStringConvertible {
    /// The expected result and the store's actual one.
    public let description: String
}
