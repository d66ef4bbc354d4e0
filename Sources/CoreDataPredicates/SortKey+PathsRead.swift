extension [SortKey] {
    /// The key paths that alone decide the order of objects; nil if a closure does.
    package var pathsRead: [[String]]? {
        let decidesAlone = allSatisfy { key in
            if case .comparator = key.collation { return false }
            return true
        }
        return decidesAlone ? map(\.keys) : nil
    }
}
