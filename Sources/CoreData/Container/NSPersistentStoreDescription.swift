public import Foundation

/// What a store is to be like: its type, place, configuration and options.
open class NSPersistentStoreDescription: NSObject, NSCopying {
    open var type = NSSQLiteStoreType
    /// The configuration of the model whose entities the store holds; nil for all.
    open var configuration: String?
    /// Where the store lies. `/dev/null` unless set: a store that is gone with the process.
    open var url: URL?
    /// Whether the store opens in the background, with the completion handler called from there.
    open var shouldAddStoreAsynchronously = false
    /// All options of the store, those with properties of their own included.
    open private(set) var options: [String: NSObject] = [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ]

    public init(url: URL) {
        self.url = url
        super.init()
    }

    public convenience override init() {
        self.init(url: .nowhere)
    }

    /// Sets an option; nil removes it.
    open func setOption(_ option: NSObject?, forKey key: String) {
        options[key] = option
    }

    open var isReadOnly: Bool {
        get { flag(NSReadOnlyPersistentStoreOption) }
        set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
    }

    /// How long to wait for the store when others use it, in seconds.
    open var timeout: TimeInterval {
        get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
    }

    /// Whether a store of an older model version is migrated when it opens.
    open var shouldMigrateStoreAutomatically: Bool {
        get { flag(NSMigratePersistentStoresAutomaticallyOption) }
        set { setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption) }
    }

    /// Whether a migration without a mapping model infers one.
    open var shouldInferMappingModelAutomatically: Bool {
        get { flag(NSInferMappingModelAutomaticallyOption) }
        set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
    }

    /// Pragmas to run when a SQLite store opens.
    open var sqlitePragmas: [String: NSObject] {
        options[NSSQLitePragmasOption] as? [String: NSObject] ?? [:]
    }

    /// Sets a pragma; nil removes it.
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        var pragmas = sqlitePragmas
        pragmas[name] = value
        setOption(pragmas.isEmpty ? nil : pragmas as NSDictionary, forKey: NSSQLitePragmasOption)
    }

    private func flag(_ key: String) -> Bool { (options[key] as? NSNumber)?.boolValue ?? false }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreDescription()
        copy.type = type
        copy.configuration = configuration
        copy.url = url
        copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
        copy.options = options
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentStoreDescription else { return false }
        return type == other.type
            && configuration == other.configuration
            && url == other.url
            && shouldAddStoreAsynchronously == other.shouldAddStoreAsynchronously
            && options == other.options
    }

    open override var hash: Int { url.hashValue }

    open override var description: String {
        "<\(Swift.type(of: self)): \(Unmanaged.passUnretained(self).toOpaque())> (type: \(type), url: "
            + "\(url.map { $0.absoluteString } ?? "(null)"))"
    }
}
