public import Foundation

/// A store to open: its type, place, configuration and options.
open class NSPersistentStoreDescription: NSObject, NSCopying {
    /// The type of the store. Unless set, it is PostgreSQL for a description made with the URL of such a
    /// database, and else SQLite.
    open var type: String
    /// The configuration of the model whose entities the store holds; nil for all.
    open var configuration: String?
    /// The place of the store; `/dev/null` unless set, for a store that is deleted with the coordinator.
    open var url: URL?
    /// Whether the store is opened on the coordinator's queue, and the completion handler called from there;
    /// false unless set.
    open var shouldAddStoreAsynchronously = false
    /// All options of the store, also those with properties of their own.
    ///
    /// Automatic migration and inferred mapping models are on unless set otherwise.
    open private(set) var options: [String: NSObject] = [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ]

    /// Describes a store in a SQLite file or a PostgreSQL database that is migrated automatically.
    public init(url: URL) {
        self.url = url
        type = url.namesPostgreSQL ? PostgreSQLStoreType : NSSQLiteStoreType
        super.init()
    }

    /// Describes a SQLite store at `/dev/null`, which is deleted with the coordinator.
    public convenience override init() {
        self.init(url: .nowhere)
    }

    /// Sets an option; nil removes it.
    open func setOption(_ option: NSObject?, forKey key: String) {
        options[key] = option
    }

    /// Whether saves to the store are refused; false unless set.
    open var isReadOnly: Bool {
        get { flag(NSReadOnlyPersistentStoreOption) }
        set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
    }

    /// How long to wait for a store that other connections lock, in seconds; 240 unless set.
    open var timeout: TimeInterval {
        get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
    }

    /// Whether a store of another model version is migrated when it is opened; true unless set.
    open var shouldMigrateStoreAutomatically: Bool {
        get { flag(NSMigratePersistentStoresAutomaticallyOption) }
        set { setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption) }
    }

    /// Whether a migration infers a mapping model if there is none; true unless set.
    open var shouldInferMappingModelAutomatically: Bool {
        get { flag(NSInferMappingModelAutomaticallyOption) }
        set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
    }

    /// Pragmas to run when a SQLite store is opened, by name.
    open var sqlitePragmas: [String: NSObject] {
        options[NSSQLitePragmasOption] as? [String: NSObject] ?? [:]
    }

    /// Sets a pragma to run when a SQLite store is opened; nil removes it.
    ///
    /// Unlike Apple's: pragmas run after the framework's own, unchanged.
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        var pragmas = sqlitePragmas
        pragmas[name] = value
        setOption(pragmas.isEmpty ? nil : pragmas as NSDictionary, forKey: NSSQLitePragmasOption)
    }

    private func flag(_ key: String) -> Bool { (options[key] as? NSNumber)?.boolValue ?? false }

    /// Returns a description with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreDescription()
        copy.type = type
        copy.configuration = configuration
        copy.url = url
        copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
        copy.options = options
        return copy
    }

    /// Returns whether the other description has the same type, place, configuration and options.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentStoreDescription else { return false }
        return type == other.type
            && configuration == other.configuration
            && url == other.url
            && shouldAddStoreAsynchronously == other.shouldAddStoreAsynchronously
            && options == other.options
    }

    /// A hash of the URL.
    open override var hash: Int { url.hashValue }

    /// The description's class and address, and the store's type and URL.
    open override var description: String {
        "<\(Swift.type(of: self)): \(Unmanaged.passUnretained(self).toOpaque())> (type: \(type), url: "
            + "\(url?.shown ?? "(null)"))"
    }
}
