extension [SortKey] {
    /// The key paths on whose values alone the order of objects depends; nil if it depends on a closure.
    package var pathsRead: [[String]]? {
        let decidesAlone = allSatisfy { key in
            if case .comparator = key.collation { return false }
            return true
        }
        return decidesAlone ? map(\.keys) : nil
    }
}
