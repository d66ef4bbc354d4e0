extension [SortKey] {
    /// The key paths of objects that alone decide on their order; nil if a closure does.
    package var pathsRead: [[String]]? {
        let decidesAlone = allSatisfy { key in
            if case .comparator = key.collation { return false }
            return true
        }
        return decidesAlone ? map(\.keys) : nil
    }
}
