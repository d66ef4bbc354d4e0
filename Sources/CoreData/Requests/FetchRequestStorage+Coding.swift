import Foundation

extension FetchRequestStorage {
    /// Encodes the settings.
    ///
    /// A closure in a predicate fails the coder; one in a sort descriptor traps.
    func encode(with coder: NSCoder) {
        coder.encode(resolvedEntityName as NSString?, forKey: "entityName")
        coder.encode(predicate, forKey: "predicate")
        coder.encode(havingPredicate, forKey: "having")
        coder.encode(sortDescriptors.map { NSArray(array: $0) }, forKey: "sort")
        coder.encode(fetchLimit, forKey: "limit")
        coder.encode(fetchOffset, forKey: "offset")
        coder.encode(fetchBatchSize, forKey: "batch")
        coder.encode(Int(resultType.rawValue), forKey: "resultType")
        coder.encode(Int(flags), forKey: "flags")
        coder.encode(
            (relationshipKeyPathsForPrefetching ?? []).joined(separator: "\n") as NSString,
            forKey: "prefetched")
    }

    convenience init(coder: NSCoder) {
        self.init()
        func object<Object: NSObject & NSCoding>(_ type: Object.Type, _ key: String) -> Object? {
            coder.containsValue(forKey: key) ? coder.decodeObject(of: type, forKey: key) : nil
        }
        func text(_ key: String) -> String? { object(NSString.self, key).map { String(describing: $0) } }
        entityName = text("entityName")
        predicate = object(NSPredicate.self, "predicate")
        havingPredicate = object(NSPredicate.self, "having")
        sortDescriptors =
            coder.containsValue(forKey: "sort")
            ? coder.decodeObject(of: [NSArray.self, NSSortDescriptor.self], forKey: "sort")
                as? [NSSortDescriptor]
            : nil
        fetchLimit = coder.decodeInteger(forKey: "limit")
        fetchOffset = coder.decodeInteger(forKey: "offset")
        fetchBatchSize = coder.decodeInteger(forKey: "batch")
        resultType = NSFetchRequestResultType(rawValue: UInt(coder.decodeInteger(forKey: "resultType")))
        flags = UInt(coder.decodeInteger(forKey: "flags"))
        let prefetched = (text("prefetched") ?? "").split(separator: "\n").map(String.init)
        relationshipKeyPathsForPrefetching = prefetched.isEmpty ? nil : prefetched
    }

    /// The Boolean settings as the bits of one number.
    private var flags: UInt {
        get {
            let switches = [
                includesSubentities, includesPropertyValues, includesPendingChanges, returnsObjectsAsFaults,
                returnsDistinctResults, shouldRefreshRefetchedObjects,
            ]
            return switches.enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt($1.offset) : 0) }
        }
        set {
            func isSet(_ bit: UInt) -> Bool { newValue & (1 << bit) != 0 }
            includesSubentities = isSet(0)
            includesPropertyValues = isSet(1)
            includesPendingChanges = isSet(2)
            returnsObjectsAsFaults = isSet(3)
            returnsDistinctResults = isSet(4)
            shouldRefreshRefetchedObjects = isSet(5)
        }
    }
}
