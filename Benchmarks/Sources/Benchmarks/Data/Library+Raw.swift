/// The library's operations in C.
extension Library {
    static let booksOfAuthor =
        "SELECT Z_PK, Z_ENT, Z_OPT, ZPAGES, ZAUTHOR, ZTITLE FROM ZBOOK WHERE ZAUTHOR = ?"
    static let booksOfTag = """
        SELECT b.Z_PK, b.Z_ENT, b.Z_OPT, b.ZPAGES, b.ZAUTHOR, b.ZTITLE \
        FROM \(join.table) j JOIN ZBOOK b ON b.Z_PK = j.\(join.book) WHERE j.\(join.tag) = ?
        """

    /// The table and columns of the pairs of books and tags, which are named by the numbers of Book and Tag
    /// (sqlite-store §5).
    private static let join = (table: "Z_2TAGS", book: "Z_2BOOKS", tag: "Z_3TAGS")

    private static func keys(_ count: Int) -> RawRows {
        RawRows((0..<count).map { [.integer(Int64($0 + 1))] })
    }

    /// The key of each author, or each tag, as rows of their own.
    var ownerKeys: [RawRows] { (0..<authors).map { RawRows([[.integer(Int64($0 + 1))]]) } }

    /// Makes the rows, and returns a function that writes them.
    var rawBuild: (RawStore) throws -> Void {
        let rows = RawRows(
            (0..<books).map { number in
                [
                    .integer(Int64(number + 1)), .integer(Int64(number % 1000)),
                    .integer(Int64(author(of: number) + 1)), .text("Book \(number)"),
                ]
            })
        let pairs = RawRows((0..<books).map { [.integer(Int64($0 + 1)), .integer(Int64(tag(of: $0) + 1))] })
        return { store in
            try store.write(
                """
                INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZPAGES, ZAUTHOR, ZTITLE) VALUES (?, 2, 1, ?, ?, ?)
                """, rows)
            let join = Self.join
            try store.write("INSERT INTO \(join.table) (\(join.book), \(join.tag)) VALUES (?, ?)", pairs)
        }
    }

    /// Makes the keys, and returns a function that deletes their rows.
    var rawDelete: (RawStore) throws -> Void {
        let (books, authors) = (Self.keys(books), Self.keys(authors))
        return { store in
            try store.write("DELETE FROM \(Self.join.table) WHERE \(Self.join.book) = ?", books)
            try store.write("DELETE FROM ZBOOK WHERE Z_PK = ?", books)
            try store.write("DELETE FROM ZAUTHOR WHERE Z_PK = ?", authors)
        }
    }
}
