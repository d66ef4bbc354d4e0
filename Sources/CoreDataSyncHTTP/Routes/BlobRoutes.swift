#if SyncServer
import CoreDataSyncCore
import CoreDataSyncServer
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Blobs of a zone, by their SHA-256: `PUT` in parts, `HEAD` for how much is there, `GET` from any place on.
struct BlobRoutes: Sendable {
    let service: SyncService
    let store: BlobStore

    /// How many bytes of an upload are there, where it is not whole.
    static let progress = HTTPField.Name("Upload-Offset")!

    func add(to group: RouterGroup<SyncContext>) {
        let path: RouterPath = "zones/:zone/blobs/:hash"
        group.put(path, use: put)
        group.head(path, use: head)
        group.get(path, use: get)
    }

    private func hash(_ context: SyncContext) throws -> BlobHash {
        guard let hash = context.parameters.get("hash").flatMap({ BlobHash($0) }) else {
            throw Answer(400, "a blob is named by its SHA-256 in small hexadecimal digits")
        }
        return hash
    }

    @Sendable private func put(_ request: Request, _ context: SyncContext) async throws -> Response {
        let (zone, caller, hash) = (try context.zone(), try context.authenticated(), try hash(context))
        let bytes = Data(try await request.bytes(upTo: BlobStore.part))
        var range = ContentRange(start: 0, count: UInt64(bytes.count), total: UInt64(bytes.count))
        if let field = request.headers[.contentRange] {
            guard let part = ContentRange(field), part.count == UInt64(bytes.count) else {
                throw Answer(400, "Content-Range is not that of the body")
            }
            range = part
        }
        let state = try await service.add(
            bytes, at: range.start, of: range.total, to: hash, in: zone, store, by: caller)
        return response(state)
    }

    /// 201 when the blob is whole, 202 with the bytes that are there.
    private func response(_ state: SyncService.BlobState) -> Response {
        switch state {
        case .stored: Response(status: .created)
        case .uploading(let count):
            Response(
                status: .accepted, headers: HTTPFields([HTTPField(name: Self.progress, value: "\(count)")]))
        }
    }

    @Sendable private func head(_ request: Request, _ context: SyncContext) async throws -> Response {
        let state = try await service.state(
            of: try hash(context), in: try context.zone(), store, by: try context.authenticated())
        switch state {
        case .stored(let size):
            // The length of what GET would give, without giving it.
            return Response(
                status: .ok,
                headers: HTTPFields([
                    HTTPField(name: .acceptRanges, value: "bytes"),
                    HTTPField(name: HTTPField.Name("Blob-Size")!, value: "\(size)"),
                ]))
        case .uploading(let count):
            return Response(
                status: .notFound, headers: HTTPFields([HTTPField(name: Self.progress, value: "\(count)")]))
        }
    }

    @Sendable private func get(_ request: Request, _ context: SyncContext) async throws -> Response {
        let hash = try hash(context)
        let state = try await service.state(
            of: hash, in: try context.zone(), store, by: try context.authenticated())
        guard case .stored(let size) = state else { throw Answer(404, "there is no such blob") }
        var fields = HTTPFields([
            HTTPField(name: .contentType, value: "application/octet-stream"),
            HTTPField(name: .acceptRanges, value: "bytes"),
            // The name is the hash of the content.
            HTTPField(name: .cacheControl, value: "private, immutable, max-age=31536000"),
        ])
        var range = 0..<size
        var status = HTTPResponse.Status.ok
        if let field = request.headers[.range] {
            guard let wanted = ContentRange.range(field, of: size) else {
                return Answer(416, "the blob has \(size) bytes").response(to: request)
            }
            range = wanted
            status = .partialContent
            fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
        }
        return Response(status: status, headers: fields, body: body(hash, range))
    }

    private func body(_ hash: BlobHash, _ range: Range<UInt64>) -> ResponseBody {
        let store = store
        return ResponseBody(contentLength: Int(range.upperBound - range.lowerBound)) { writer in
            var position = range.lowerBound
            while position < range.upperBound {
                let count = Int(min(256 << 10, range.upperBound - position))
                let bytes = try await store.read(hash, from: position, count: count)
                guard !bytes.isEmpty else { throw ServiceError.missing("the file of the blob is too short") }
                try await writer.write(ByteBuffer(bytes: bytes))
                position += UInt64(bytes.count)
            }
            try await writer.finish(nil)
        }
    }
}

/// A part of a whole, as `Content-Range: bytes 0-9/20` says.
struct ContentRange: Hashable {
    var start: UInt64
    var count: UInt64
    var total: UInt64

    init(start: UInt64, count: UInt64, total: UInt64) {
        self.start = start
        self.count = count
        self.total = total
    }

    init?(_ field: String) {
        guard field.hasPrefix("bytes ") else { return nil }
        let halves = field.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, let total = UInt64(halves[1]) else { return nil }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let start = UInt64(ends[0]), let last = UInt64(ends[1]), start <= last,
            last < total
        else { return nil }
        self.init(start: start, count: last - start + 1, total: total)
    }

    /// Reads `bytes=5-9` or `bytes=5-`; nil for anything else and for what lies outside.
    static func range(_ field: String, of size: UInt64) -> Range<UInt64>? {
        guard field.hasPrefix("bytes=") else { return nil }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let start = UInt64(ends[0]), start < size else { return nil }
        if ends[1].isEmpty { return start..<size }
        guard let last = UInt64(ends[1]), last >= start else { return nil }
        return start..<min(size, last &+ 1 == 0 ? size : last + 1)
    }
}
#endif
