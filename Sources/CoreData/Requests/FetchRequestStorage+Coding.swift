import Foundation

extension FetchRequestStorage {
    /// Writes names, texts and numbers. The predicate goes as its format and the order as keys and directions:
    /// closures in either are lost, so they are refused.
    func encode(with coder: NSCoder) {
        coder.encode(resolvedEntityName as NSString?, forKey: "entityName")
        coder.encode(predicate.map(ModelText.text) as NSString?, forKey: "predicate")
        coder.encode(havingPredicate.map(ModelText.text) as NSString?, forKey: "having")
        coder.encode(
            (sortDescriptors ?? []).map { ModelText.keyPath($0) ?? "" }.joined(separator: "\n") as NSString,
            forKey: "sort")
        coder.encode(
            (sortDescriptors ?? []).map { $0.ascending ? "+" : "-" }.joined() as NSString,
            forKey: "directions")
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
        func text(_ key: String) -> String? {
            coder.decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
        }
        entityName = text("entityName")
        predicate = text("predicate").flatMap { try? ModelText.predicate($0) }
        havingPredicate = text("having").flatMap { try? ModelText.predicate($0) }
        let keys = (text("sort") ?? "").split(separator: "\n").map(String.init)
        let directions = text("directions") ?? ""
        sortDescriptors = zip(keys, directions).map { NSSortDescriptor(key: $0, ascending: $1 == "+") }
        fetchLimit = coder.decodeInteger(forKey: "limit")
        fetchOffset = coder.decodeInteger(forKey: "offset")
        fetchBatchSize = coder.decodeInteger(forKey: "batch")
        resultType = NSFetchRequestResultType(rawValue: UInt(coder.decodeInteger(forKey: "resultType")))
        flags = UInt(coder.decodeInteger(forKey: "flags"))
        let prefetched = (text("prefetched") ?? "").split(separator: "\n").map(String.init)
        relationshipKeyPathsForPrefetching = prefetched.isEmpty ? nil : prefetched
    }

    /// The switches as one number.
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
