import CoreDataSyncCore
package import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension SyncHTTPClient {
    /// Uploads a blob under its SHA-256, from where an earlier upload ended.
    package func upload(_ bytes: Data, as hash: String) async throws {
        var position = try await progress(of: hash, count: bytes.count)
        while position < bytes.count || bytes.isEmpty {
            let end = min(position + partBytes, bytes.count)
            var request = try await self.request(to: ["zones", zone, "blobs", hash])
            request.httpMethod = "PUT"
            if !bytes.isEmpty {
                request.setValue(
                    "bytes \(position)-\(end - 1)/\(bytes.count)", forHTTPHeaderField: "Content-Range")
            }
            request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
            let start = bytes.startIndex
            let (data, response) = try await answer(
                to: request, sending: bytes[(start + position)..<(start + end)])
            guard [201, 202].contains(response.statusCode) else { throw error(response, data) }
            if response.statusCode == 201 { return }
            position = end
        }
    }

    /// Returns how many bytes the server has.
    private func progress(of hash: String, count: Int) async throws -> Int {
        var request = try await self.request(to: ["zones", zone, "blobs", hash])
        request.httpMethod = "HEAD"
        let (_, response) = try await answer(to: request)
        switch response.statusCode {
        case 200: return count
        case 404:
            let text = response.value(forHTTPHeaderField: "Upload-Offset") ?? "0"
            guard let offset = Int(text), (0...count).contains(offset) else { return 0 }
            return offset
        default: throw error(response, Data())
        }
    }

    /// Downloads a part of a blob. Returns its bytes and the size of the whole.
    package func part(of hash: String, from position: Int) async throws -> (bytes: Data, total: Int) {
        var request = try await self.request(to: ["zones", zone, "blobs", hash])
        request.setValue("bytes=\(position)-\(position + partBytes - 1)", forHTTPHeaderField: "Range")
        let (data, response) = try await answer(to: request)
        // Who ignores the field gives all.
        if response.statusCode == 200, position == 0 { return (data, data.count) }
        guard response.statusCode == 206 else { throw error(response, data) }
        let range = response.value(forHTTPHeaderField: "Content-Range")
        guard let total = range?.split(separator: "/").last.flatMap({ Int($0) }), !data.isEmpty,
            position + data.count <= total
        else { throw URLError(.badServerResponse) }
        return (data, total)
    }
}
