/// A fetch request template, or the request of a fetched property.
package struct FetchRequestElement: Sendable, Hashable {
    package struct Sort: Sendable, Hashable {
        package var keyPath: String
        package var isAscending: Bool
        /// The name of the comparison method, for example `compare:` or `localizedStandardCompare:`.
        package var selector: String?

        package init(keyPath: String, isAscending: Bool, selector: String? = nil) {
            self.keyPath = keyPath
            self.isAscending = isAscending
            self.selector = selector
        }
    }

    package var name: String
    package var entityName: String
    /// The predicate, in predicate format, where `$name` stands for a substitution variable.
    package var predicate: String?
    package var sort: [Sort]
    package var fetchLimit: Int
    package var fetchOffset: Int
    package var fetchBatchSize: Int
    /// The raw value of an `NSFetchRequestResultType`.
    package var resultType: Int
    package var includesSubentities: Bool
    package var includesPropertyValues: Bool
    package var includesPendingChanges: Bool
    package var returnsObjectsAsFaults: Bool
    package var returnsDistinctResults: Bool
    package var prefetchedKeyPaths: [String]
    package var editorAttributes: [String: String]
    package var extras: [SourceExtra] = []

    package init(
        name: String,
        entityName: String,
        predicate: String? = nil,
        sort: [Sort] = [],
        fetchLimit: Int = 0,
        fetchOffset: Int = 0,
        fetchBatchSize: Int = 0,
        resultType: Int = 0,
        includesSubentities: Bool = true,
        includesPropertyValues: Bool = true,
        includesPendingChanges: Bool = true,
        returnsObjectsAsFaults: Bool = true,
        returnsDistinctResults: Bool = false,
        prefetchedKeyPaths: [String] = [],
        editorAttributes: [String: String] = [:]
    ) {
        self.name = name
        self.entityName = entityName
        self.predicate = predicate
        self.sort = sort
        self.fetchLimit = fetchLimit
        self.fetchOffset = fetchOffset
        self.fetchBatchSize = fetchBatchSize
        self.resultType = resultType
        self.includesSubentities = includesSubentities
        self.includesPropertyValues = includesPropertyValues
        self.includesPendingChanges = includesPendingChanges
        self.returnsObjectsAsFaults = returnsObjectsAsFaults
        self.returnsDistinctResults = returnsDistinctResults
        self.prefetchedKeyPaths = prefetchedKeyPaths
        self.editorAttributes = editorAttributes
    }
}

/// A property whose value is the result of a fetch request.
package struct FetchedPropertyElement: Sendable, Hashable {
    package var name: String
    package var isOptional: Bool
    package var fetchRequest: FetchRequestElement?
    package var renamingIdentifier: String?
    package var userInfo: [UserInfoEntry]
    /// Whether the source has an empty element for user info.
    package var hasEmptyUserInfo = false
    package var editorAttributes: [String: String]
    package var extras: [SourceExtra] = []

    package init(
        name: String,
        isOptional: Bool = true,
        fetchRequest: FetchRequestElement?,
        renamingIdentifier: String? = nil,
        userInfo: [UserInfoEntry] = [],
        editorAttributes: [String: String] = [:]
    ) {
        self.name = name
        self.isOptional = isOptional
        self.fetchRequest = fetchRequest
        self.renamingIdentifier = renamingIdentifier
        self.userInfo = userInfo
        self.editorAttributes = editorAttributes
    }
}
